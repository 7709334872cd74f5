// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Where the native side calls in. */
final class Upcalls {
  /** What one upcall needs; a thread has as many as upcalls are nested on it. */
  private static final class Room {
    final Block block = new Block();
    final Body in = new Body();
    final Body out = new Body();
    final Reply reply = new Reply();
    CdrReader reader;
    Engine readersEngine;
  }

  private static final class Rooms {
    Room[] all = new Room[2];
    int depth;

    Room enter() {
      if (depth == all.length) all = Arrays.copyOf(all, 2 * depth);
      if (all[depth] == null) all[depth] = new Room();
      return all[depth++];
    }
  }

  private static final ThreadLocal<Rooms> ROOMS = ThreadLocal.withInitial(Rooms::new);

  private Upcalls() {}

  /** Runs one request; returns the address of the block that says how it ended. */
  static long run(Servant servant, int operation, long data, long size, int chars, int wchars, int format, long segments,
      int segmentCount, int resultChars, int resultWchars) {
    Rooms rooms = ROOMS.get();
    Room room = rooms.enter();
    try {
      Body in = room.in;
      Windows windows = room.block.windows();
      windows.show(data, size, format >> 16 & 7, in);
      in.littleEndian = (format & 1) != 0;
      in.giopMinor = format >> 8 & 3;
      in.charSet = chars;
      in.wcharSet = wchars;
      in.segments = segmentCount == 0 ? null : windows.segments(segments, segmentCount);
      room.out.giopMinor = in.giopMinor;
      room.out.charSet = resultChars;
      room.out.wcharSet = resultWchars;
      Engine engine = servant._engine();
      if (room.readersEngine != engine) {
        room.reader = new CdrReader(engine);
        room.readersEngine = engine;
      }
      Reply reply = room.reply.reset(room.out);
      servant._serve(operation, room.reader.reset(in), reply);
      return reply.status() == Reply.SYSTEM_EXCEPTION
          ? room.block.put(JniEngine.SYSTEM_EXCEPTION, reply.systemException())
          : room.block.put(reply.status() == Engine.RESULTS ? JniEngine.OK : JniEngine.USER_EXCEPTION, reply.body());
    } finally {
      --rooms.depth;
    }
  }

  /** The end of an asynchronous call. */
  static void completed(Engine.Completion waiting, int status, long data, long size, int chars, int wchars, int format, long segments,
      int segmentCount, int exception, int minor, int completed, byte[] text) {
    if (status == JniEngine.SYSTEM_EXCEPTION) {
      waiting.done(Engine.RESULTS, null, Block.exception(exception, minor, completed, new String(text, StandardCharsets.UTF_8)));
      return;
    }
    Rooms rooms = ROOMS.get();
    Room room = rooms.enter();
    try {
      Body in = room.in;
      if (status == JniEngine.WRITE_AGAIN) {
        in.buffer = null;
        in.position = format >> 16 & 7;
      } else {
        room.block.windows().show(data, size, format >> 16 & 7, in);
      }
      in.littleEndian = (format & 1) != 0;
      in.giopMinor = format >> 8 & 3;
      in.charSet = chars;
      in.wcharSet = wchars;
      in.segments = segmentCount == 0 ? null : room.block.windows().segments(segments, segmentCount);
      waiting.done(JniEngine.engineStatus(status), in, null);
    } finally {
      --rooms.depth;
    }
  }

  static void raise(int number, int minor, int completed, byte[] text) {
    throw Block.exception(number, minor, completed, new String(text, StandardCharsets.UTF_8));
  }
}
