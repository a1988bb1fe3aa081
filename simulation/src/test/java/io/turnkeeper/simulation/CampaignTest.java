package io.turnkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.simulation.plan.Plan;
import io.turnkeeper.simulation.scheduler.PoolSubject;
import io.turnkeeper.simulation.scheduler.TableSubject;
import org.junit.jupiter.api.Test;

/** The rules survive some lives, and broken ones do not. */
class CampaignTest {
  private static final int LIVES = 40;
  private static final int STEPS = 500;

  @Test
  void theRulesSurvive() {
    Campaign campaign = new Campaign();
    assertThat(campaign.run(1, LIVES, STEPS, done -> {})).isNull();
    assertThat(campaign.lives()).isEqualTo(LIVES);
  }

  /** Committed but never reported: only the head that the next one sees tells of it. */
  @Test
  void rulesThatIgnoreTheHeadAreFoundOut() {
    TableSubject deaf =
        new TableSubject() {
          @Override
          public TableState fold(Event event, TableState before, Now now) {
            return event instanceof HeadObserved ? before : super.fold(event, before, now);
          }
        };
    Life.Outcome outcome =
        Life.of(Plan.of(1, STEPS), new Fleet.Rules(deaf, new PoolSubject()), what -> {});
    assertThat(outcome.violation()).isNotNull();
  }
}
