package io.turnkeeper.authority;

/** The authority gave no answer to a question that changes nothing; asking again is safe. */
public final class AuthorityUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  public AuthorityUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
