import { capture, memory, turnsOf } from "./packages/core/test/capture/captured.ts";
const t = (m: string[], ...l: string[]) => console.log(capture(turnsOf(...l.map((x) => "user: " + x)), m.map((x, i) => memory("m" + i, x))).map((c) => [c.decision, c.reason, c.text, c.target]));
t(["The user's supervisors are Prof. van Houten and Dr. Mbeki"], "Mbeki is leaving for Zurich, Prof. Lindqvist takes over as second supervisor");
t(["The user runs in Brooks Ghost and uses a Garmin 255"], "I switched to Saucony Rides because the Ghosts felt dead");
t(["The user's model is a spiking network of hippocampal CA3, in Brian2."], "I moved the model to PyTorch with snnTorch because Brian2 was too slow on GPU");
t(["Rent is 2,800 a month, due on the 10th."], "Ania and Tomek are staying another year, we agreed on 3,000 from October");
t(["The user can run Tuesday, Thursday, Saturday."], "I can train 4 days now, Mondays as well");
t(["The team wants to ship on Steam in October."], "Sadie is going on parental leave from August so we pushed the release to February");
