// SPDX-License-Identifier: Apache-2.0
package measured;

/** A Java program without an ORB, which answers commands all the same: what memory the virtual machine takes by itself. */
final class Hello {
  private Hello() {}

  public static void main(String[] words) throws Exception {
    Commands.serve(command -> Commands.mean(() -> {}, Integer.parseInt(command[2])));
  }
}
