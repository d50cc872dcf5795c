// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) the bailey authors
//
// The button that changes between light, dark and the system's theme. Furo has it, but Debian's package of Furo has a
// script that no browser reads; where Furo's own has run, this does nothing.
document.addEventListener("DOMContentLoaded", function () {
  var root = document.documentElement;
  setTimeout(function () {
    if (!root.classList.contains("no-js")) return;
    root.classList.remove("no-js");
    document.querySelectorAll(".theme-toggle").forEach(function (button) {
      button.addEventListener("click", function () {
        var order = ["auto", "light", "dark"];
        var next = order[(order.indexOf(document.body.dataset.theme) + 1) % 3];
        document.body.dataset.theme = next;
        localStorage.setItem("theme", next);
      });
    });
  });
});
