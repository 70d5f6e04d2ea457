"""Contact loss in the joint of a four-bar with clearance: ideal mechanism, first-order correction, the published criteria (zhang1995).

| module | what |
|---|---|
| jet | truncated Taylor series: derivatives of closed forms without differences |
| ideal | angles, F32* and alpha* of the mechanism without clearance, and all their derivatives |
| correction | theta^1, Q, R, F32^1, alpha^1 and the numbers aq, br |
| criteria | Earles-Wu, Li-Bai, critical points: angles of predicted contact loss |
| massless_link | the clearance as a massless link: its equation of motion solved directly |
| full_contact | the run with an elastic contact: where the joint opens |
"""
