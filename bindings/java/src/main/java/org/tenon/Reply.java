// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** What a servant answers. An engine makes one for each request that is under way, and reuses it. One thread at a time. */
public final class Reply {
  /** Of {@link #status}, beside those of {@link Engine}. */
  public static final int SYSTEM_EXCEPTION = 3;

  private final CdrWriter out = new CdrWriter().completed(CompletionStatus.COMPLETED_YES);
  private Body format;
  private int status;
  private SystemException systemException;

  /** Empty results, to be written in that format. */
  public Reply reset(Body format) {
    this.format = format;
    results();
    return this;
  }

  /** Begins the results anew. */
  public CdrWriter results() {
    status = Engine.RESULTS;
    systemException = null;
    return out.reset(format);
  }

  /** Begins a user exception; its members follow. */
  public CdrWriter userException(String id) {
    results().writeString(id, 0);
    status = Engine.USER_EXCEPTION;
    return out;
  }

  void fail(SystemException exception) {
    status = SYSTEM_EXCEPTION;
    systemException = exception;
  }

  /** {@link Engine#RESULTS}, {@link Engine#USER_EXCEPTION} or {@link #SYSTEM_EXCEPTION}. */
  public int status() {
    return status;
  }

  /** What has been written, unless the status is a system exception. */
  public CdrWriter body() {
    return out;
  }

  public SystemException systemException() {
    return systemException;
  }
}
