/// Files in Azure Blob Storage and Data Lake Storage. Open [dev.penstock.azure.AzureStorage] first.
@NullMarked
package dev.penstock.azure;

import org.jspecify.annotations.NullMarked;
