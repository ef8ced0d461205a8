package dev.penstock.internal.decode;

import dev.penstock.internal.cache.Piles;
import dev.penstock.internal.filter.Condition;
import dev.penstock.internal.plan.PilePlaces;
import dev.penstock.internal.plan.RowRun;
import dev.penstock.internal.plan.WindowOrder;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.Schema;
import java.io.IOException;

/// How the rows of an epoch are put in order by way of piles.
public record Piling(PilePlaces places, Piles piles, Schema schema) {
  RowRun rows(WindowOrder.Placed order) {
    int pile = pile(order);
    int rows = places.rows(pile);
    return new RowRun(
        0, TableFile.ofPile(piles, pile, rows, schema), 0, rows, Condition.always(), 0);
  }

  int[] placesOf(WindowOrder.Placed order) throws IOException {
    int pile = pile(order);
    return piles.places(pile, places.rows(pile));
  }

  private int pile(WindowOrder.Placed order) {
    return places.pileOf(order.firstPlace());
  }
}
