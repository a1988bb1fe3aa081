package io.turnkeeper.worker.authority;

/** The contract on the fake that other tests use. */
class InMemoryAuthorityTest extends AuthorityContract {
  private final InMemoryAuthority authority = new InMemoryAuthority();

  @Override
  Authority authority() {
    return authority;
  }

  @Override
  void expire(HeldTurn held) {
    authority.expire(held);
  }
}
