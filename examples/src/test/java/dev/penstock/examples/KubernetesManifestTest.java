package dev.penstock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.split.Rank;
import dev.penstock.split.Ranks;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyRule;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubernetesManifestTest {
  private String yaml = "";
  private Manifests manifests;
  private Job job;
  private PodSpec pod;
  private Container container;

  @BeforeEach
  void read() throws IOException {
    yaml = LauncherFiles.text("kubernetes.yaml");
    manifests = Manifests.parse(yaml);
    job = manifests.job();
    pod = job.getSpec().getTemplate().getSpec();
    container = pod.getContainers().getFirst();
  }

  @ParameterizedTest
  @CsvSource({
    "completionMode:, completionsMode:, Unrecognized field \"completionsMode\"",
    "onExitCodes:, onExitCode:, Unrecognized field \"onExitCode\"",
    "mountPath:, path:, Unrecognized field \"path\"",
    "accessModes:, accessMode:, Unrecognized field \"accessMode\"",
    "clusterIP:, clusterIp:, Unrecognized field \"clusterIp\"",
    "completions: 4, completions: four, Cannot coerce String value",
    "completions: 4, completions: \"4\", Cannot coerce String value",
    "value: \"4\", value: 4, Cannot coerce Integer value",
    "values: [2], values: 2, Cannot deserialize",
    "parallelism: 4, completions: 4, duplicate key completions"
  })
  void misspeltFieldOrWrongTypeIsRefused(String right, String wrong, String reason) {
    assertThat(yaml).contains(right);
    assertThatThrownBy(() -> Manifests.parse(yaml.replace(right, wrong)))
        .hasMessageContaining(reason);
  }

  @Test
  void everyPodFindsItsRank() {
    int ranks = job.getSpec().getCompletions();
    for (int index = 0; index < ranks; index++) {
      Map<String, String> environment = environment();
      environment.put("JOB_COMPLETION_INDEX", Integer.toString(index)); // set by Kubernetes
      assertThat(Ranks.fromEnvironment(environment)).isEqualTo(new Rank(index, ranks));
    }
    assertThat(job.getSpec().getParallelism()).as("all at once").isEqualTo(ranks);
    assertThat(job.getSpec().getCompletionMode()).isEqualTo("Indexed");
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    for (EnvVar variable : container.getEnv()) {
      environment.put(variable.getName(), variable.getValue());
    }
    return environment;
  }

  /// Kubernetes names a pod of an indexed job after the job and its index, within the service that
  /// is the pod's subdomain.
  @Test
  void rankZeroHasTheAddressThatTheOthersAreTold() {
    String service = manifests.service().getMetadata().getName();
    String name = job.getMetadata().getName();
    assertThat(pod.getSubdomain()).isEqualTo(service);
    assertThat(manifests.service().getSpec().getClusterIP()).isEqualTo("None");
    assertThat(manifests.service().getSpec().getSelector())
        .isEqualTo(Map.of("batch.kubernetes.io/job-name", name));
    assertThat(environment())
        .containsEntry("MASTER_ADDR", name + "-0." + service)
        .containsEntry(
            "MASTER_PORT",
            manifests.service().getSpec().getPorts().getFirst().getPort().toString());
  }

  @Test
  void stateIsOnAVolumeThatAllPodsMount() {
    String claim = pod.getVolumes().getFirst().getPersistentVolumeClaim().getClaimName();
    assertThat(claim).isEqualTo(manifests.claim().getMetadata().getName());
    assertThat(manifests.claim().getSpec().getAccessModes()).containsExactly("ReadWriteMany");
    assertThat(container.getVolumeMounts().getFirst().getName())
        .isEqualTo(pod.getVolumes().getFirst().getName());
    assertThat(container.getVolumeMounts().getFirst().getMountPath())
        .isEqualTo(container.getArgs().getLast());
  }

  /// What Kubernetes' server checks beyond the schema.
  @Test
  void failurePolicyIsOneThatKubernetesTakes() {
    List<PodFailurePolicyRule> rules = job.getSpec().getPodFailurePolicy().getRules();
    assertThat(pod.getRestartPolicy()).isEqualTo("Never");
    assertThat(rules)
        .extracting(PodFailurePolicyRule::getAction)
        .containsExactly("FailJob", "Ignore");
    assertThat(rules.getFirst().getOnExitCodes().getContainerName()).isEqualTo(container.getName());
    assertThat(rules.getFirst().getOnExitCodes().getOperator()).isEqualTo("In");
    assertThat(job.getSpec().getBackoffLimitPerIndex()).isPositive();
  }
}
