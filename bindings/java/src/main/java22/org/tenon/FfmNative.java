// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Over java.lang.foreign. Pointers are longs, which are passed in the same way on 64-bit machines; what lies behind them is in `MEMORY`.
 * Servants and what waits for the end of a call have a number here, which is the context that the library gives back.
 *
 * <p>What an upcall throws would end the VM, so that each catches all, and the way out of it calls nothing that could fail again.
 *
 * <p>Long because it is all of the border: each function of the library that JniNative has in C++, and what the library calls.
 */
final class FfmNative extends Native {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup SYMBOLS = load();
  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  // Of tenon/c.h:
  private static final int ABI = 1;
  private static final int ERROR_SIZE = 16 + TEXT_SIZE;
  private static final int BODY_SIZE = 48, BODY_FORMAT = 16, FORMAT_SIZE = 12;
  // Of a Block; the arguments of a call are behind it.
  private static final int REPLY = 48, STATUS = 56, ERROR = 64, RESULT_FORMAT = 576, ARGUMENTS = Block.END;

  /** What an upcall on the same thread needs of the stack before it can catch anything: else an overflow there would end the VM. */
  private static final long STACK = 160 * 1024;

  private static final MethodHandle STACK_LEFT =
      LINKER.downcallHandle(find("tenon_stack_left"), FunctionDescriptor.of(JAVA_LONG), Linker.Option.critical(false));
  private static final MethodHandle INVOKE = LINKER.downcallHandle(find("tenon_invoke"), descriptor(true, "pppippp"));
  private static final MethodHandle REPLY_FREE = function("tenon_reply_free");

  /** Made by the first servant: each takes time and memory. */
  private static final class Serving {
    static final long UPCALL = stub("upcall", true, "ppippp");
    static final long RELEASED = stub("released", false, "p");
  }

  /** Made by the first asynchronous call. */
  private static final class Async {
    static final MethodHandle INVOKE = LINKER.downcallHandle(find("tenon_invoke_async"), descriptor(true, "pppipppp"));
    static final MethodHandle FREE = function("tenon_pending_free");
    static final long COMPLETE = stub("complete", false, "pipp");
  }

  /** What the library knows by a number. */
  private static final ConcurrentHashMap<Long, Object> KEPT = new ConcurrentHashMap<>();
  private static final AtomicLong NUMBERS = new AtomicLong();
  /** Functions that are seldom called. */
  private static final ConcurrentHashMap<String, MethodHandle> FUNCTIONS = new ConcurrentHashMap<>();

  FfmNative() {
    int abi = call("tenon_c_abi");
    if (abi != ABI) throw new UnsatisfiedLinkError("libtenon-c has version " + abi + " of its interface; wanted: " + ABI);
  }

  private static SymbolLookup load() {
    if (Libraries.load("libtenon-c.so.1")) return SymbolLookup.loaderLookup();
    for (String folder : System.getProperty("java.library.path", "").split(":")) {
      Path file = Path.of(folder, "libtenon-c.so.1");
      if (!folder.isEmpty() && Files.exists(file)) {
        System.load(file.toAbsolutePath().toString());
        return SymbolLookup.loaderLookup();
      }
    }
    try {
      return SymbolLookup.libraryLookup("libtenon-c.so.1", Arena.global());
    } catch (IllegalArgumentException e) {
      throw new UnsatisfiedLinkError("no libtenon-c.so.1: neither -Dtenon.library.path nor -Djava.library.path, nor the system, leads to it");
    }
  }

  /** `parameters`: p a pointer or another word, i an int. */
  private static FunctionDescriptor descriptor(boolean status, String parameters) {
    MemoryLayout[] all = new MemoryLayout[parameters.length()];
    for (int i = 0; i < all.length; ++i) all[i] = parameters.charAt(i) == 'p' ? JAVA_LONG : JAVA_INT;
    return status ? FunctionDescriptor.of(JAVA_INT, all) : FunctionDescriptor.ofVoid(all);
  }

  private static MemorySegment find(String function) {
    MemorySegment found = SYMBOLS.find(function).orElse(MemorySegment.NULL);
    if (found.address() == 0) throw new UnsatisfiedLinkError("libtenon-c has no " + function);
    return found;
  }

  /** One that is called by six words. */
  private static MethodHandle function(String name) {
    return LINKER.downcallHandle(find(name), descriptor(true, "pppppp"));
  }

  private static void checkStack() {
    long left;
    try {
      left = (long) STACK_LEFT.invokeExact();
    } catch (Throwable e) {
      throw unexpected(e);
    }
    if (left < STACK) throw new StackOverflowError();
  }

  private static long stub(String name, boolean status, String parameters) {
    FunctionDescriptor type = descriptor(status, parameters);
    try {
      MethodHandle target = MethodHandles.lookup().findStatic(FfmNative.class, name, type.toMethodType());
      return LINKER.upcallStub(target, type, Arena.global()).address();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Calls a function that is seldom called, with up to six arguments; only as a status does what it returns mean something. */
  private static int call(String name, long... words) {
    checkStack();
    long[] six = Arrays.copyOf(words, 6);
    MethodHandle function = FUNCTIONS.get(name);
    if (function == null) {
      function = function(name);
      FUNCTIONS.put(name, function);
    }
    try {
      return (int) function.invokeExact(six[0], six[1], six[2], six[3], six[4], six[5]);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static void free(String name, long handle) {
    call(name, handle);
  }

  private static void freeBy(MethodHandle function, long handle) {
    try {
      int nothing = (int) function.invokeExact(handle, 0L, 0L, 0L, 0L, 0L);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** No function throws, so this is an error of the VM. */
  private static Error unexpected(Throwable e) {
    return e instanceof Error error ? error : new AssertionError(e);
  }

  /** Memory for one call of a function that ends in a pointer for its result and one for an error, or in the latter alone. */
  private static final class Frame implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment error = arena.allocate(ERROR_SIZE, 8);
    private final MemorySegment made = arena.allocate(JAVA_LONG);

    long text(byte[] octets) {
      return octets == null ? 0 : octets(Arrays.copyOf(octets, octets.length + 1));
    }

    long octets(byte[] octets) {
      MemorySegment to = arena.allocate(octets.length + 1, 8);
      MemorySegment.copy(octets, 0, to, JAVA_BYTE, 0, octets.length);
      return to.address();
    }

    MemorySegment allocate(long size) {
      return arena.allocate(size, 8);
    }

    long error() {
      return error.address();
    }

    long made() {
      return made.address();
    }

    /** Raises what the status says. */
    long check(int status) {
      if (status != OK) throw exception();
      return made.get(JAVA_LONG, 0);
    }

    SystemException exception() {
      return Block.exception(error.get(JAVA_INT, 0), error.get(JAVA_INT, 4), error.get(JAVA_INT, 8), error.getString(16));
    }

    @Override
    public void close() {
      arena.close();
    }
  }

  @Override
  long init(byte[][] arguments, int[] left, byte[] id) {
    try (Frame frame = new Frame()) {
      MemorySegment texts = frame.allocate(8L * arguments.length + 8);
      long[] all = new long[arguments.length];
      for (int i = 0; i < all.length; ++i) {
        all[i] = frame.text(arguments[i]);
        texts.setAtIndex(JAVA_LONG, i, all[i]);
      }
      MemorySegment rest = frame.allocate(4);
      long orb = frame.check(call("tenon_orb_init", all.length, texts.address(), rest.address(), frame.text(id), frame.made(),
          frame.error()));
      // Which of them are left, in order.
      for (int i = 0; i < rest.get(JAVA_INT, 0); ++i) {
        for (int k = 0; k < all.length; ++k) {
          if (all[k] == texts.getAtIndex(JAVA_LONG, i)) left[i] = k;
        }
      }
      return orb;
    }
  }

  @Override
  void run(long orb) {
    try (Frame frame = new Frame()) {
      frame.check(call("tenon_orb_run", orb, frame.error()));
    }
  }

  @Override
  void shutDown(long orb, boolean wait) {
    try (Frame frame = new Frame()) {
      frame.check(call("tenon_orb_shutdown", orb, wait ? 1 : 0, frame.error()));
    }
  }

  @Override
  void destroy(long orb) {
    try (Frame frame = new Frame()) {
      frame.check(call("tenon_orb_destroy", orb, frame.error()));
    }
  }

  @Override
  void freeOrb(long orb) {
    free("tenon_orb_free", orb);
  }

  @Override
  long fromText(long orb, byte[] text) {
    try (Frame frame = new Frame()) {
      return frame.check(call("tenon_reference_from_text", orb, frame.text(text), frame.made(), frame.error()));
    }
  }

  @Override
  byte[] toText(long reference) {
    for (long room = 4096;;) {
      try (Frame frame = new Frame()) {
        MemorySegment text = frame.allocate(room);
        int status = call("tenon_reference_to_text", reference, text.address(), room, frame.made(), frame.error());
        long size = frame.made.get(JAVA_LONG, 0);
        if (status == OK) return text.asSlice(0, size).toArray(JAVA_BYTE);
        if (status != NO_ROOM) throw frame.exception();
        room = size + 1;
      }
    }
  }

  @Override
  long initialReference(long orb, byte[] name) {
    try (Frame frame = new Frame()) {
      return frame.check(call("tenon_orb_initial_reference", orb, frame.text(name), frame.made(), frame.error()));
    }
  }

  @Override
  long fromIor(long orb, byte[] ior) {
    try (Frame frame = new Frame()) {
      MemorySegment body = frame.allocate(BODY_SIZE);
      body.set(JAVA_LONG, 0, frame.octets(ior));
      body.set(JAVA_LONG, 8, ior.length);
      call("tenon_reference_format", 0, body.address() + BODY_FORMAT);
      return frame.check(call("tenon_reference_read", orb, body.address(), frame.allocate(8).address(), frame.made(),
          frame.error()));
    }
  }

  @Override
  byte[] toIor(long reference) {
    for (long room = 2048;;) {
      try (Frame frame = new Frame()) {
        MemorySegment ior = frame.allocate(room);
        int status = call("tenon_reference_write", reference, ior.address(), room, 0, frame.made(), frame.error());
        long size = frame.made.get(JAVA_LONG, 0);
        if (status == OK) return ior.asSlice(0, size).toArray(JAVA_BYTE);
        if (status != NO_ROOM) throw frame.exception();
        room = size;
      }
    }
  }

  @Override
  void freeReference(long reference) {
    free("tenon_reference_free", reference);
  }

  @Override
  long operation(byte[] name, int flags) {
    MemorySegment made = Arena.global().allocate(24L + name.length, 8);
    made.set(JAVA_LONG, 0, made.address() + 24);
    made.set(JAVA_LONG, 8, name.length);
    made.set(JAVA_INT, 16, flags);
    MemorySegment.copy(name, 0, made, JAVA_BYTE, 24, name.length);
    return made.address();
  }

  /** The octets, whose format the block has, as a tenon_body. */
  private static long argumentsOf(long arguments, int size, long block) {
    long body = block + ARGUMENTS;
    MEMORY.set(JAVA_LONG, body, arguments);
    MEMORY.set(JAVA_LONG, body + 8, size);
    MemorySegment.copy(MEMORY, block + BODY_FORMAT, MEMORY, body + BODY_FORMAT, FORMAT_SIZE);
    return body;
  }

  @Override
  int invoke(long target, long operation, long arguments, int size, int timeoutMs, long block) {
    checkStack();
    long body = argumentsOf(arguments, size, block);
    MEMORY.set(JAVA_LONG, block + REPLY, 0);
    try {
      return (int) INVOKE.invokeExact(target, operation, body, timeoutMs, block + REPLY, block, block + ERROR);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  int start(long target, long operation, long arguments, int size, int timeoutMs, long block, Engine.Completion waiting) {
    checkStack();
    long body = argumentsOf(arguments, size, block);
    long number = keep(waiting);
    MEMORY.set(JAVA_LONG, block + REPLY, 0);
    try {
      int status = (int) Async.INVOKE.invokeExact(target, operation, body, timeoutMs, Async.COMPLETE, number, block + REPLY, block + ERROR);
      if (status != OK) KEPT.remove(number);
      return status;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static long keep(Object what) {
    long number = NUMBERS.incrementAndGet();
    KEPT.put(number, what);
    return number;
  }

  @Override
  void cancel(long pending) {
    free("tenon_pending_cancel", pending);
  }

  @Override
  void freePending(long pending) {
    freeBy(Async.FREE, pending);
  }

  @Override
  void freeReply(long reply) {
    freeBy(REPLY_FREE, reply);
  }

  @Override
  long address(ByteBuffer buffer) {
    return MemorySegment.ofBuffer(buffer).address() - buffer.position();
  }

  @Override
  ByteBuffer window(long address) {
    return MEMORY.asSlice(address, Integer.MAX_VALUE - 8).asByteBuffer(); // the most that a segment's buffer may show
  }

  @Override
  long rootAdapter(long orb) {
    try (Frame frame = new Frame()) {
      return frame.check(call("tenon_root_adapter", orb, frame.made(), frame.error()));
    }
  }

  @Override
  void freeAdapter(long adapter) {
    free("tenon_adapter_free", adapter);
  }

  @Override
  void setState(long adapter, int state) {
    try (Frame frame = new Frame()) {
      frame.check(call("tenon_adapter_set_state", adapter, state, frame.error()));
    }
  }

  @Override
  long makeInterface(byte[] names, int ids, int operations) {
    try (Frame frame = new Frame()) {
      long octets = frame.octets(names);
      MemorySegment texts = frame.allocate(8L * (ids + operations) + 8);
      for (int i = 0, at = 0; i < ids + operations; ++i, ++at) {
        texts.setAtIndex(JAVA_LONG, i, octets + at);
        while (names[at] != 0) ++at;
      }
      return frame.check(call("tenon_interface_new", texts.address(), ids, texts.address() + 8L * ids, operations,
          frame.made(), frame.error()));
    }
  }

  @Override
  long activate(long adapter, long interfaceHandle, Servant servant, byte[] id) {
    try (Frame frame = new Frame()) {
      long number = keep(servant);
      int status = call("tenon_servant_new", interfaceHandle, Serving.UPCALL, Serving.RELEASED, number, frame.made(), frame.error());
      if (status != OK) KEPT.remove(number);
      long made = frame.check(status);
      frame.made.set(JAVA_LONG, 0, 0);
      try {
        return frame.check(call("tenon_adapter_activate", adapter, made, frame.text(id), id == null ? 0 : id.length,
            frame.made(), frame.error()));
      } finally {
        free("tenon_servant_free", made);
      }
    }
  }

  @Override
  void deactivate(long adapter, long reference) {
    try (Frame frame = new Frame()) {
      frame.check(call("tenon_adapter_deactivate", adapter, reference, frame.error()));
    }
  }

  @Override
  void publish(long orb, byte[] name, long reference) {
    try (Frame frame = new Frame()) {
      frame.check(call("tenon_orb_publish", orb, frame.text(name), reference, frame.error()));
    }
  }

  @Override
  String meaning(int exception, int minor) {
    try (Frame frame = new Frame()) {
      frame.error.set(JAVA_INT, 0, exception);
      frame.error.set(JAVA_INT, 4, minor);
      call("tenon_error_describe", frame.error());
      return frame.exception().text();
    }
  }

  // --- from the library ---

  /** A tenon_upcall. A SYSTEM_EXCEPTION whose error says none is UNKNOWN. */
  private static int upcall(long servant, long request, int operation, long arguments, long results, long error) {
    try {
      Upcalls.Rooms rooms = Upcalls.rooms();
      int depth = rooms.depth;
      try {
        Upcalls.Room room = rooms.enter();
        long block = room.block.address();
        MemorySegment.copy(MEMORY, arguments, MEMORY, block, BODY_SIZE);
        MemorySegment.copy(MEMORY, results + BODY_FORMAT, MEMORY, block + RESULT_FORMAT, FORMAT_SIZE);
        Upcalls.serve((Servant) KEPT.get(servant), operation, room);
        MemorySegment.copy(MEMORY, block, MEMORY, results, 16);
        int status = (int) MEMORY.get(JAVA_LONG, block + STATUS);
        if (status == SYSTEM_EXCEPTION) MemorySegment.copy(MEMORY, block + ERROR, MEMORY, error, ERROR_SIZE);
        return status;
      } finally {
        rooms.depth = depth;
      }
    } catch (Throwable e) {
      return SYSTEM_EXCEPTION;
    }
  }

  /** A tenon_release. */
  private static void released(long servant) {
    try {
      KEPT.remove(servant);
    } catch (Throwable e) {
      // There was no memory for the number; it stays.
    }
  }

  /** A tenon_completion. */
  private static void complete(long number, int status, long results, long error) {
    try {
      Engine.Completion waiting = (Engine.Completion) KEPT.remove(number);
      byte[] text = status == SYSTEM_EXCEPTION ? MEMORY.getString(error + 16).getBytes(StandardCharsets.UTF_8) : null;
      int format = MEMORY.get(JAVA_BYTE, results + 24) | MEMORY.get(JAVA_BYTE, results + 25) << 8 | MEMORY.get(JAVA_BYTE, results + 26) << 16;
      Upcalls.completed(waiting, status, MEMORY.get(JAVA_LONG, results), MEMORY.get(JAVA_LONG, results + 8), MEMORY.get(JAVA_INT, results + 16),
          MEMORY.get(JAVA_INT, results + 20), format, MEMORY.get(JAVA_LONG, results + 40), MEMORY.get(JAVA_INT, results + 28),
          MEMORY.get(JAVA_INT, error), MEMORY.get(JAVA_INT, error + 4), MEMORY.get(JAVA_INT, error + 8), text);
    } catch (Throwable e) {
      // Whoever waits has been told, or there is no memory to tell it with.
    }
  }
}
