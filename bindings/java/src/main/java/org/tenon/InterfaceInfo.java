// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.util.List;

/**
 * What an adapter needs to know of a servant's interface. Immutable; any thread.
 *
 * @param ids repository ids: its own first, then those of all bases, then CORBA::Object's
 * @param operations names on the wire; the place of a name is the number that {@link Servant#_dispatch} takes
 */
public record InterfaceInfo(List<String> ids, List<String> operations) {
  public static final String OBJECT = "IDL:omg.org/CORBA/Object:1.0";

  public InterfaceInfo {
    ids = List.copyOf(ids);
    operations = List.copyOf(operations);
  }
}
