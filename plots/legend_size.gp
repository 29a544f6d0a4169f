# SPDX-License-Identifier: Apache-2.0
# How the legend of a page of page_width is laid out, so that no label is drawn over another.
if (page_width < label_width + 80) { page_width = label_width + 80 }
legend_columns = (page_width - 40) / (label_width + 60)
if (legend_columns > deployments) { legend_columns = deployments }
if (legend_columns < 1) { legend_columns = 1 }
legend_rows = (deployments + legend_columns - 1) / legend_columns
