// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An ORB (CORBA 3.4 part 1 §8.2). Its threads are those of the native library; servants are called on them. Any thread may call any
 * method. After {@link #destroy} each raises OBJECT_NOT_EXIST or BAD_INV_ORDER, and so does a call over a reference of this ORB.
 */
public final class Orb implements AutoCloseable {
  private final NativeEngine engine;
  private final String[] arguments;

  private Orb(NativeEngine engine, String[] arguments) {
    this.engine = engine;
    this.arguments = arguments;
  }

  /** As {@link #init(String[], String)}, with the id that the options say. */
  public static Orb init(String... arguments) {
    return init(arguments, null);
  }

  /**
   * ORB_init: options that begin with -ORB count (docs/options.md), the others are {@link #arguments}. An ORB of that id that is there
   * already is given again. BAD_PARAM: an option is wrong, which the text tells.
   */
  public static Orb init(String[] arguments, String id) {
    byte[][] texts = new byte[arguments.length][];
    for (int i = 0; i < texts.length; ++i) texts[i] = arguments[i].getBytes(StandardCharsets.UTF_8);
    int[] left = new int[arguments.length];
    Arrays.fill(left, -1);
    long orb = Native.LIBRARY.init(texts, left, id == null ? null : id.getBytes(StandardCharsets.UTF_8));
    String[] others = Arrays.stream(left).filter(place -> place >= 0).mapToObj(place -> arguments[place]).toArray(String[]::new);
    NativeEngine engine = new NativeEngine(orb);
    Block.CLEANER.register(engine, () -> Native.LIBRARY.freeOrb(orb));
    return new Orb(engine, others);
  }

  /** Those that were no options of the ORB. */
  public String[] arguments() {
    return arguments.clone();
  }

  /** A reference from IOR:, corbaloc:, corbaname: or file: text; null for nil. BAD_PARAM says what is wrong. */
  public ObjectReference toReference(String text) {
    return engine.toReference(text);
  }

  /** An initial reference, such as "NameService". BAD_PARAM: there is none of that name. */
  public ObjectReference initialReference(String name) {
    return engine.made(Native.LIBRARY.initialReference(engine.orb(), name.getBytes(StandardCharsets.UTF_8)));
  }

  /** Makes the servant an object of the root POA, whose requests are served after {@link #activate()}. A second time it is the same. */
  public ObjectReference activate(Servant servant) {
    return engine.activate(servant);
  }

  public void deactivate(Servant servant) {
    engine.deactivate(servant);
  }

  /** Lets the root POA serve requests. */
  public void activate() {
    Native.LIBRARY.setState(engine.adapter(), 1);
  }

  /** Lets corbaloc:iiop:HOST:PORT/NAME lead to the object. */
  public void publish(String name, RemoteObject object) {
    Native.LIBRARY.publish(engine.orb(), name.getBytes(StandardCharsets.UTF_8), object._reference().handle());
  }

  /**
   * Objects of values that come with that repository id are made by the factory from now on. Returns the one before; null: there was none.
   * BAD_PARAM for an empty id or no factory.
   */
  public ValueFactory registerValueFactory(String id, ValueFactory factory) {
    if (id.isEmpty() || factory == null) throw noFactory();
    return engine.valueFactories.put(id, factory);
  }

  /** BAD_PARAM: there is none. */
  public void unregisterValueFactory(String id) {
    if (engine.valueFactories.remove(id) == null) throw noFactory();
  }

  /** BAD_PARAM: there is none. */
  public ValueFactory lookupValueFactory(String id) {
    ValueFactory found = engine.valueFactory(id);
    if (found == null) throw noFactory();
    return found;
  }

  private static SystemException noFactory() {
    return new SystemException(SystemException.Kind.BAD_PARAM, MinorCode.VALUE_FACTORY_REGISTRATION);
  }

  /** Returns when the ORB is shut down. */
  public void run() {
    Native.LIBRARY.run(engine.orb());
  }

  /** `wait`: returns when no servant runs any more; BAD_INV_ORDER inside a servant. */
  public void shutdown(boolean wait) {
    Native.LIBRARY.shutDown(engine.orb(), wait);
  }

  /** Shuts down, waits for that, and ends the ORB. */
  public void destroy() {
    Native.LIBRARY.destroy(engine.orb());
  }

  @Override
  public void close() {
    destroy();
  }
}
