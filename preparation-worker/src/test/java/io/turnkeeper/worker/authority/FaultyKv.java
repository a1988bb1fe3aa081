package io.turnkeeper.worker.authority;

import io.etcd.jetcd.KV;
import io.etcd.jetcd.Txn;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.grpc.Status;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Loses conditional transactions of a key-value client, before or after they are applied, and lets
 * others act in between. Reads pass.
 */
public final class FaultyKv {
  /** What somebody else does meanwhile. */
  public interface Interference {
    void run() throws Exception;
  }

  private final KV faulty;
  private final AtomicReference<@Nullable Interference> before = new AtomicReference<>();
  private final AtomicReference<@Nullable Interference> after = new AtomicReference<>();
  private static final Status NO_SPACE =
      Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: mvcc: database space exceeded");

  private int requestsToLose;
  private int answersToLose;
  private int requestsToRefuse;
  private int answersToSpoil;
  private int lost;

  FaultyKv(KV real) {
    this.faulty =
        (KV)
            Proxy.newProxyInstance(
                KV.class.getClassLoader(),
                new Class<?>[] {KV.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("txn")) {
                    return new FaultyTxn(real.txn());
                  }
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
  }

  KV kv() {
    return faulty;
  }

  public void loseRequests(int count) {
    requestsToLose = count;
  }

  public void loseAnswers(int count) {
    answersToLose = count;
  }

  /** Has {@code count} transactions refused for want of space, before they are applied. */
  void refuseRequests(int count) {
    requestsToRefuse = count;
  }

  /**
   * Answers {@code count} transactions with the want of space although they are applied, as etcd
   * does with those that cross its limit.
   */
  void spoilAnswers(int count) {
    answersToSpoil = count;
  }

  public int lost() {
    return lost;
  }

  public void beforeNextTransaction(Interference interference) {
    before.set(interference);
  }

  public void afterNextTransaction(Interference interference) {
    after.set(interference);
  }

  private final class FaultyTxn implements Txn {
    private final Txn txn;
    private boolean conditional;

    FaultyTxn(Txn txn) {
      this.txn = txn;
    }

    @Override
    public Txn If(Cmp... conditions) {
      conditional = true;
      txn.If(conditions);
      return this;
    }

    @Override
    public Txn Then(Op... operations) {
      txn.Then(operations);
      return this;
    }

    @Override
    public Txn Else(Op... operations) {
      txn.Else(operations);
      return this;
    }

    @Override
    public CompletableFuture<TxnResponse> commit() {
      if (!conditional) {
        CompletableFuture<TxnResponse> answer = txn.commit();
        return answer;
      }
      interfere(before);
      if (requestsToLose > 0) {
        requestsToLose--;
        lost++;
        return failed("request lost");
      }
      if (requestsToRefuse > 0) {
        requestsToRefuse--;
        return CompletableFuture.failedFuture(NO_SPACE.asRuntimeException());
      }
      CompletableFuture<TxnResponse> answer = txn.commit();
      if (answersToLose > 0 || answersToSpoil > 0 || after.get() != null) {
        answer.orTimeout(5, TimeUnit.SECONDS).join();
      }
      interfere(after);
      if (answersToLose > 0) {
        answersToLose--;
        lost++;
        return failed("answer lost");
      }
      if (answersToSpoil > 0) {
        answersToSpoil--;
        return CompletableFuture.failedFuture(NO_SPACE.asRuntimeException());
      }
      return answer;
    }
  }

  private static CompletableFuture<TxnResponse> failed(String reason) {
    return CompletableFuture.failedFuture(
        Status.UNAVAILABLE.withDescription(reason).asRuntimeException());
  }

  private static void interfere(AtomicReference<@Nullable Interference> moment) {
    Interference interference = moment.getAndSet(null);
    if (interference != null) {
      try {
        interference.run();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
