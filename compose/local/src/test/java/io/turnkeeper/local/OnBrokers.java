package io.turnkeeper.local;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/** A test that runs on {@link Brokers}, and is skipped where those that were chosen cannot be. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OnBrokers.Possible.class)
public @interface OnBrokers {

  /** Only containers need what may be missing. */
  final class Possible implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return Brokers.areContainers() && !DockerClientFactory.instance().isDockerAvailable()
          ? ConditionEvaluationResult.disabled("-Dbroker=container needs Docker, and there is none")
          : ConditionEvaluationResult.enabled("the brokers can be started");
    }
  }
}
