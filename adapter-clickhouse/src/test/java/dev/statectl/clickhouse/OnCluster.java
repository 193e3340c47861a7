package dev.statectl.clickhouse;

import dev.statectl.clickhouse.engine.ClickHouseCluster;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Marks tests that need {@link ClickHouseCluster}. Where there can be none they say {@code NOT RUN}
 * and why, and count as skipped.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("cluster")
@ExtendWith(OnCluster.WhereContainersRun.class)
@interface OnCluster {
  /** Runs tests where a Docker engine answers. */
  final class WhereContainersRun implements ExecutionCondition {
    private static final Optional<String> OBSTACLE =
        ClickHouseCluster.obstacle().map(reason -> "NOT RUN: the tests on a cluster: " + reason);
    private static final AtomicBoolean SAID = new AtomicBoolean();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (OBSTACLE.isEmpty()) {
        return ConditionEvaluationResult.enabled("a Docker engine answers");
      }
      if (!SAID.getAndSet(true)) {
        System.out.println(OBSTACLE.get());
      }
      return ConditionEvaluationResult.disabled(OBSTACLE.get());
    }
  }
}
