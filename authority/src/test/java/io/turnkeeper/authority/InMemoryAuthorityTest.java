package io.turnkeeper.authority;

/** The contract on the fake that other tests use. */
class InMemoryAuthorityTest extends AuthorityContract {
  private final InMemoryAuthority authority = new InMemoryAuthority();

  @Override
  protected Authority authority() {
    return authority;
  }

  @Override
  protected void expire(HeldTurn held) {
    authority.expire(held);
  }
}
