// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/** Where the native side calls in. */
final class Upcalls {
  /** What one upcall needs; a thread has as many as upcalls are nested on it. */
  static final class Room {
    final Body in = new Body();
    final Body out = new Body();
    final Reply reply = new Reply();
    final Block block = new Block();
    /** Show blocks of the native side. */
    final Windows blocks = new Windows();
    CdrReader reader;
    Engine readersEngine;

    CdrReader reader(Engine engine) {
      if (readersEngine != engine) {
        reader = new CdrReader(engine);
        readersEngine = engine;
      }
      return reader;
    }
  }

  /** Those of a thread, which may be a virtual one, of which the first `depth` are in use. */
  static final class Rooms {
    private final ArrayList<Room> all = new ArrayList<>();
    int depth;

    Room enter() {
      if (depth == all.size()) all.add(new Room());
      return all.get(depth++);
    }
  }

  private static final ThreadLocal<Rooms> ROOMS = ThreadLocal.withInitial(Rooms::new);
  /** Of completions: their results are read before anything else can end on the thread. */
  private static final ThreadLocal<Room> COMPLETING = ThreadLocal.withInitial(Room::new);

  private Upcalls() {}

  static Rooms rooms() {
    return ROOMS.get();
  }

  /** From libtenon-jni: runs one request, which the block at that address has; it says how that ended. */
  static void run(Servant servant, int operation, long block) {
    Rooms rooms = ROOMS.get();
    int depth = rooms.depth;
    try {
      Room room = rooms.enter();
      room.block.move(block, room.blocks);
      serve(servant, operation, room);
    } finally {
      rooms.depth = depth; // no call, which could overflow the stack once more
    }
  }

  /** The same, of the room's block. */
  static void serve(Servant servant, int operation, Room room) {
    Block block = room.block;
    Body in = room.in;
    block.getBody(in);
    room.out.giopMinor = in.giopMinor;
    block.getResultFormat(room.out);
    Reply reply = room.reply.reset(room.out);
    servant._serve(operation, room.reader(servant._engine()).reset(in), reply);
    room.reader.letGo();
    put(block, reply);
  }

  private static void put(Block block, Reply reply) {
    reply.body().letGo();
    if (reply.status() == Reply.SYSTEM_EXCEPTION) {
      block.put(Native.SYSTEM_EXCEPTION, reply.systemException());
    } else {
      block.put(reply.status() == Engine.RESULTS ? Native.OK : Native.USER_EXCEPTION, reply.body());
    }
  }

  /** The end of an asynchronous call. */
  static void completed(Engine.Completion waiting, int status, long data, long size, int chars, int wchars, int format, long segments,
      int segmentCount, int exception, int minor, int completed, byte[] text) {
    if (status == Native.SYSTEM_EXCEPTION) {
      String why = text == null ? "" : new String(text, StandardCharsets.UTF_8);
      waiting.done(Engine.RESULTS, null, Block.exception(exception, minor, completed, why));
      return;
    }
    Room room = COMPLETING.get();
    Body in = room.in;
    if (status == Native.WRITE_AGAIN) {
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
    waiting.done(NativeEngine.engineStatus(status), in, null);
  }

  /** The reply to a wrapper's call, which the block has, where it is no plain number: a user exception for the kind 0. */
  static long oddReply(WrapperCall call, ObjectReference target, int kind, int enumerators, long block) throws UserException {
    Room room = COMPLETING.get();
    room.block.move(block, room.blocks);
    room.block.getBody(room.in);
    CdrReader in = room.reader(target.engine()).completed(CompletionStatus.COMPLETED_YES).reset(room.in);
    try {
      switch (kind) {
        case 0: throw call.raise(in);
        case 'Z': return in.readBoolean() ? 1 : 0;
        case 'B': return in.readByte();
        case 'S': return in.readShort();
        case 'J':
        case 'D': return in.readLong();
        default: return enumerators != 0 ? in.readOrdinal(enumerators) : in.readInt();
      }
    } finally {
      in.letGo();
    }
  }

  /** Puts into the block, which has the format, what is answered to a request whose method has thrown that. */
  static void failed(Throwable thrown, String listed, long block) {
    Room room = COMPLETING.get();
    room.block.move(block, room.blocks);
    room.block.getFormat(room.out);
    Reply reply = room.reply.reset(room.out);
    Servant._answer(thrown, listed, reply);
    put(room.block, reply);
  }

  static void raise(int number, int minor, int completed, byte[] text) {
    throw Block.exception(number, minor, completed, new String(text, StandardCharsets.UTF_8));
  }
}
