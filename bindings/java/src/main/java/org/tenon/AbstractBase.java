// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** What all abstract interfaces of IDL inherit: an object that is one is a {@link RemoteObject}, or it is a value, a {@link ValueBase}. */
public interface AbstractBase {}
