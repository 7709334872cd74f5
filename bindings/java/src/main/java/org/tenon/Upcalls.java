// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

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

  /** Of upcalls: the place in it is how many are under way on the thread. */
  private static final ThreadLocal<ArrayList<Room>> ROOMS = ThreadLocal.withInitial(ArrayList::new);
  /** Of completions: their results are read before anything else can end on the thread. */
  private static final ThreadLocal<Room> COMPLETING = ThreadLocal.withInitial(Room::new);

  private Upcalls() {}

  /** Returns the address of the block of upcalls at that depth, of which there is none yet. */
  static long makeRoom(int depth) {
    ArrayList<Room> rooms = ROOMS.get();
    if (rooms.size() != depth) throw new IllegalStateException("rooms are made in order");
    Room made = new Room();
    rooms.add(made);
    return made.block.address;
  }

  /** Runs one request, which the block has; it says how that ended. */
  static void run(Servant servant, int operation, int depth) {
    Room room = ROOMS.get().get(depth);
    Block block = room.block;
    Body in = room.in;
    block.getBody(in);
    room.out.giopMinor = in.giopMinor;
    block.getResultFormat(room.out);
    Engine engine = servant._engine();
    if (room.readersEngine != engine) {
      room.reader = new CdrReader(engine);
      room.readersEngine = engine;
    }
    Reply reply = room.reply.reset(room.out);
    servant._serve(operation, room.reader.reset(in), reply);
    if (reply.status() == Reply.SYSTEM_EXCEPTION) {
      block.put(JniEngine.SYSTEM_EXCEPTION, reply.systemException());
    } else {
      block.put(reply.status() == Engine.RESULTS ? JniEngine.OK : JniEngine.USER_EXCEPTION, reply.body());
    }
  }

  /** The end of an asynchronous call. */
  static void completed(Engine.Completion waiting, int status, long data, long size, int chars, int wchars, int format, long segments,
      int segmentCount, int exception, int minor, int completed, byte[] text) {
    if (status == JniEngine.SYSTEM_EXCEPTION) {
      String why = text == null ? "" : new String(text, StandardCharsets.UTF_8);
      waiting.done(Engine.RESULTS, null, Block.exception(exception, minor, completed, why));
      return;
    }
    Room room = COMPLETING.get();
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
  }

  static void raise(int number, int minor, int completed, byte[] text) {
    throw Block.exception(number, minor, completed, new String(text, StandardCharsets.UTF_8));
  }
}
