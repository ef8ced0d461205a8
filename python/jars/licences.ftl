<#-- A line for each library: group:artifact:version, tab, its licences as its POM names them. -->
<#list dependencyMap as entry>
<#assign library = entry.getKey()>
${library.groupId}:${library.artifactId}:${library.version}	<#list entry.getValue() as licence>${licence}<#sep> or </#sep></#list>
</#list>
