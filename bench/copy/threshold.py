# SPDX-License-Identifier: Apache-2.0
"""From which size on lending is never slower than copying, out of figures that others measured; and the ORB's own size."""
import re


def threshold(of_sizes):
    """of_sizes: {octets: time lent / time copied}. The smallest of these sizes from which no ratio is above 1; None: the largest's is."""
    found = None
    for octets in sorted(of_sizes, reverse=True):
        if of_sizes[octets] > 1:
            break
        found = octets
    return found


def default_of(header):
    """The octets from which the ORB lends unless it is told otherwise, by the text of src/cdr/writer.hpp."""
    return int(re.search(r"\bborrow_from = ([\d']+);", header)[1].replace("'", ""))
