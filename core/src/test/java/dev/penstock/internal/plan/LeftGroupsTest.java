package dev.penstock.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.plan.LeftGroups.Part;
import dev.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class LeftGroupsTest {
  /// Row by row: each is in the part that its group is in, groups without rows are in none.
  @Seeded(runs = 60)
  void partsAreTheRowsOfEachGroup(Random random) {
    List<RowGroup> groups = new ArrayList<>();
    List<Condition> rests = new ArrayList<>();
    List<Integer> groupOfRow = new ArrayList<>();
    for (int group = random.nextInt(8); group >= 0; group--) {
      int rows = random.nextInt(3) == 0 ? 0 : random.nextInt(6);
      for (int row = 0; row < rows; row++) {
        groupOfRow.add(groups.size());
      }
      groups.add(new RowGroup(rows, 100));
      rests.add(random.nextBoolean() ? Condition.always() : Condition.never());
    }
    LeftGroups left = new LeftGroups(groups, rests);
    for (int first = 0; first <= groupOfRow.size(); first++) {
      for (int end = first; end <= groupOfRow.size(); end++) {
        List<Integer> found = new ArrayList<>();
        long next = first;
        for (Part part : left.parts(first, end)) {
          assertThat(part.rows().offset()).isEqualTo(next);
          int group = groupOfRow.get((int) next);
          assertThat(part.rest()).isEqualTo(rests.get(group));
          for (; next < part.rows().end(); next++) {
            found.add(group);
          }
        }
        assertThat(found).isEqualTo(groupOfRow.subList(first, end));
      }
    }
  }
}
