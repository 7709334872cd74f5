// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** Whether the target had done its work when a system exception was raised; ordinals are those of the wire (GIOP 1.2 §9.4.3.2). */
public enum CompletionStatus {
  COMPLETED_YES,
  COMPLETED_NO,
  COMPLETED_MAYBE
}
