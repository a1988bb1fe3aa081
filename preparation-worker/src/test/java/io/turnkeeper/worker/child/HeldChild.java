package io.turnkeeper.worker.child;

/** A worker that starts one process for preparations, says which, and waits to be killed. */
final class HeldChild {
  private HeldChild() {}

  public static void main(String[] args) throws Exception {
    Child child = Child.start(ChildSize.STANDARD);
    child.awaitIdle();
    System.out.println(child.pid());
    System.out.flush();
    new java.util.concurrent.CountDownLatch(1).await();
  }
}
