package dev.penstock.examples;

import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The Kubernetes objects of a YAML file, as a server that checks fields strictly takes them: types
/// made of Kubernetes' own schema, no field that they lack, no value of another type.
///
/// @param service the headless service
/// @param claim the volume for states
/// @param job the job
record Manifests(Service service, PersistentVolumeClaim claim, Job job) {
  private static final ObjectMapper STRICT = strict();

  /// Reads the three objects.
  ///
  /// @throws IllegalArgumentException if a field is unknown, missing its type, or stands twice
  static Manifests parse(String yaml) {
    LoadSettings settings = LoadSettings.builder().setAllowDuplicateKeys(false).build();
    Service service = null;
    PersistentVolumeClaim claim = null;
    Job job = null;
    for (Object each : new Load(settings).loadAllFromString(yaml)) {
      Map<?, ?> object = (Map<?, ?>) each;
      switch (object.get("apiVersion") + " " + object.get("kind")) {
        case "v1 Service" -> service = STRICT.convertValue(object, Service.class);
        case "v1 PersistentVolumeClaim" ->
            claim = STRICT.convertValue(object, PersistentVolumeClaim.class);
        case "batch/v1 Job" -> job = STRICT.convertValue(object, Job.class);
        default -> throw new IllegalArgumentException("Cannot take an object of another kind.");
      }
    }
    if (service == null || claim == null || job == null) {
      throw new IllegalArgumentException("Cannot find all three objects.");
    }
    return new Manifests(service, claim, job);
  }

  /// Makes a reader that refuses what the types' own would keep as additional fields, and numbers
  /// and texts in each other's places.
  private static ObjectMapper strict() {
    JsonMapper.Builder mapper =
        JsonMapper.builder()
            .annotationIntrospector(
                new JacksonAnnotationIntrospector() {
                  private static final long serialVersionUID = 1;

                  @Override
                  public Boolean hasAnySetter(Annotated each) {
                    return false;
                  }
                })
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS);
    for (CoercionInputShape shape :
        new CoercionInputShape[] {
          CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean
        }) {
      mapper.withCoercionConfig(
          LogicalType.Textual, config -> config.setCoercion(shape, CoercionAction.Fail));
    }
    return mapper.build();
  }
}
