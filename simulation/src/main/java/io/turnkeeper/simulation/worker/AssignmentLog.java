package io.turnkeeper.simulation.worker;

import io.turnkeeper.core.table.Assignment;
import java.util.ArrayList;
import java.util.List;

/** The topic of orders to executors; every executor reads all of it and keeps its own. */
public final class AssignmentLog {
  private final List<Assignment> orders = new ArrayList<>();
  private final List<Runnable> readers = new ArrayList<>();

  void onArrival(Runnable reader) {
    readers.add(reader);
  }

  public void append(Assignment order) {
    orders.add(order);
    readers.forEach(Runnable::run);
  }

  int size() {
    return orders.size();
  }

  Assignment at(int position) {
    return orders.get(position);
  }
}
