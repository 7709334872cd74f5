// SPDX-License-Identifier: Apache-2.0
package test;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Answers each request of GIOP 1.2 by one long long, in the byte order that this machine has not; one connection, a thread of its own. */
final class ForeignServer implements AutoCloseable {
  static final long RESULT = 0x0102030405060708L;
  private static final int HEADER = 12;

  private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  private final BlockingQueue<byte[]> requests = new LinkedBlockingQueue<>();

  ForeignServer() throws IOException {
    Thread thread = new Thread(this::serve);
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return listening.getLocalPort();
  }

  /** The last octets of the next request, in hexadecimal. */
  String endOfRequest(int octets) throws InterruptedException {
    byte[] request = requests.poll(20, TimeUnit.SECONDS);
    if (request == null) throw new AssertionError("no request came");
    return HexFormat.of().formatHex(request, request.length - octets, request.length);
  }

  private void serve() {
    try (Socket peer = listening.accept()) {
      DataInputStream in = new DataInputStream(peer.getInputStream());
      OutputStream out = peer.getOutputStream();
      while (true) {
        byte[] header = in.readNBytes(HEADER);
        if (header.length < HEADER || header[7] != 0) return; // the end, or CloseConnection
        ByteOrder order = (header[6] & 1) != 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        byte[] rest = in.readNBytes(ByteBuffer.wrap(header).order(order).getInt(8));
        requests.add(rest);
        out.write(reply(ByteBuffer.wrap(rest).order(order).getInt(0)));
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  private static byte[] reply(int number) {
    boolean little = ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN;
    ByteBuffer message = ByteBuffer.allocate(HEADER + 20).order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    message.put(new byte[] {'G', 'I', 'O', 'P', 1, 2, (byte) (little ? 1 : 0), 1}).putInt(20);
    return message.putInt(number).putInt(0).putInt(0).putLong(RESULT).array();
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
