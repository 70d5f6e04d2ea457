"""Where everything of an assembled mechanism stands in p (parameters) and s (discrete state, and room to work in).

A mechanism is data: tables of bodies, constraints, contacts, springs and loads. The kernels read them, so nothing is compiled for a
mechanism. Places in p and s are computed once and stand in the header of p, from where the kernels take them. The room to work in is in
s, which every run has for itself, and not in p, which runs may share.

| table | columns |
|---|---|
| constraints | TYPE, first ROW, POSE_I, POSE_J (places in s), S_I, S_J (points in body axes, from the mass centre, m), E, VALUE, RATE |
| rubs | row that holds it, first row of what presses, how many, sliding and static friction of a newton, speed above which it is |
| | whole, where drives say how it slides, so that it never sticks by itself; else 0 |
| rows | 3 x body i, 3 x body j (the ground's is the last one), first column of the row in the skyline, place of its diagonal |
| pairs | place in the skyline, two places among the Jacobian's triples whose product belongs there |
| pulls | for each body how many rows act on it, and of each: the row, place of its triple |
| contacts | poses, 3 x bodies, points, kind, floor of the approach speed, then of a pin: friction's three parameters, R_i, R_j; |
| | of a slider's corner: direction of the guide in body i, of the slider in body j, parameters of model.joints.translational; of a |
| | wall of a slot its direction and clearance in the same places; of a cam the face's normal, and places of functions |
| springs | poses, 3 x bodies, points, stiffness, damping, free length (or angle, or place), way, direction in body i, preload, side |
| | (1: pulls only where it is longer, -1: pushes only where it is shorter, 0: both), 1 where the curve goes by the rate, 1 where samples |
| | give its push, points of the curve |
| loads | POSE, 3 x body, point, force x, force y, torque, places of functions of time (a factor; how far the point has gone along a |
| | direction in the body), 1 where the force turns with the body, points of a factor over time; points that are put out have the |
| | first four, and a direction in the body |
| weights | force x, force y and 0 for each body, and for the ground |
| functions | the numbers of each (model.assembly.functions.numbering); who needs one has its place, 0: none |
| actuators | poses, 3 x bodies, kind, first of its own states, place of a function, parameters (model.assembly.actuating) |
| channels | code of what is put out, two places |
| rods | of each: its length in this table, place among the own states, nodes, frames, pose and 3 x number of the first frame, the beam's |
| | parameters; then 4 x node of each frame, compliance of the frames (see below), weight, mass at each coordinate, factors of its mass |
| bends | each triple of a row that acts on a frame: its place, row, rod, which of its frames, place of what the row does to all of them |
| spans | each row that acts on a rod: row, place of what it does to the rod's frames, 3 x number of the first of these, how many |

VALUE + RATE t + FUNCTION(t) is where a constraint is; LED 1: VALUE + RATE x, where x is the course that samples give
(model.stepping.inputs). PUSHED 1: a spring's push is what samples give.

E is a direction in body i (LINE), in body j (FACE), the offset of point j from point i in the world's axes (COINCIDENT), or what of the
angles of i and j makes the arc that rolls off (MESH). FUNCTION is x and SECOND_FUNCTION y of a curve (CURVE), or the distance of the face
by its angle (FACE).

Rods give way (model.assembly.rods). A frame is a node that something is attached to; frames are numbered after the ground and have poses
and triples as bodies have, with 1 for the roots of mass and inertia. What a row does to one frame moves all of its rod: S_BENDS has what.

Own states are those beside (q, v): they follow v in y; in s are their values, then their rates.
"""

from __future__ import annotations

# Header of p.
(
    BODIES, CONSTRAINTS, ROWS, PAIRS, CONTACTS, SPRINGS, LOADS, OUTPUTS, REDUNDANT, STABILISATION,
    AT_CONSTRAINTS, AT_ROWS, AT_PAIRS, AT_PULLS, AT_CONTACTS, AT_SPRINGS, AT_LOADS, AT_WEIGHTS, AT_OUTPUTS,
    S_ACTIVE, S_PIVOT, S_POSES, S_JACOBIAN, S_GAP, S_GAP_RATE, S_REST, S_SKYLINE, S_PIVOTS, S_ACCELERATION, S_MULTIPLIER,
    S_CONTACTS, S_SQUARE, S_SOFT, LED, RUBS, AT_RUBS, S_RUBS, UP, UP_Y, AT_FUNCTIONS, S_STACK, ACTUATORS, AT_ACTUATORS, S_ACTUATORS,
    OWN_STATES, S_OWN, S_NORMAL, S_SINGULAR, RODS, FRAMES, AT_RODS, BENDS, AT_BENDS, S_BENDS, SPANS, AT_SPANS, PUSHED, S_PULLS, HEADER,
) = range(59)  # fmt: skip

# Constraints. COINCIDENT: point j on point i; LINE: the distance along E; ANGLE: the angle of j from i; MESH: two wheels roll on each
# other; CURVE: point j on a curve of body i; FACE: a flat face of body j on a curve of body i; GRIP: a contact that does not slide.
COINCIDENT, LINE, ANGLE, MESH, CURVE, FACE, GRIP = range(7)
TYPE, ROW, POSE_I, POSE_J, S_I, S_J, E, VALUE, RATE, STICKS, FUNCTION, SECOND_FUNCTION = 0, 1, 2, 3, 4, 6, 8, 10, 11, 12, 13, 14
CONSTRAINT_COLUMNS = 15
VELOCITY_I, VELOCITY_J, FIRST_COLUMN, DIAGONAL, ROW_COLUMNS = range(5)
PAIR_COLUMNS = 3
# Rubs; where R_ROWS is below 0 as many contacts press, and R_PRESSED is the number of the first of them.
R_ROW, R_PRESSED, R_ROWS, R_SLIDING, R_STATIC, R_WHOLE, RUB_COLUMNS = range(7)
# Of a rub in s: 1 or -1 as it slides, 0 while it sticks; its force while it slides; what was lacking of it last.
SLIP, RUBBING, LACKING, RUB_STATES = range(4)
# Actuators: kind, place among the own states, place of a function, parameters.
M_POSE_I, M_POSE_J, M_BODY_I, M_BODY_J, M_KIND, M_OWN, M_FUNCTION, M_PARAMETERS = range(8)
MOST_PARAMETERS = 8
ACTUATOR_COLUMNS = M_PARAMETERS + MOST_PARAMETERS
# Contacts, springs: the first eight columns are the same.
C_POSE_I, C_POSE_J, C_BODY_I, C_BODY_J, C_S_I, C_S_J = 0, 1, 2, 3, 4, 6
C_KIND, C_FLOOR, C_FRICTION, C_SIZE, C_LINE, C_AXIS, C_GUIDE, C_COLUMNS = 8, 9, 10, 13, 15, 17, 19, 27
# Kind of a contact: journal in bearing; the number of a slider's corner in its guide; a pin at the left or right wall of its slot; a
# roller or a flat face on a cam.
PIN, LEFT_WALL, RIGHT_WALL, ON_ROLLER, ON_FACE = -1.0, 4.0, 5.0, 6.0, 7.0
C_FUNCTIONS = C_AXIS  # of a cam: places of its functions
# What is remembered of singular poses: how often it came to one, and when last.
HOW_OFTEN, WHEN = range(2)
STIFFNESS, DAMPING, LENGTH, WAY, S_E, PRELOAD, SIDE, BY_RATE, GIVEN, POINTS, CURVE = 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 19
MOST_POINTS = 16  # of a spring's or a load's curve
SPRING_COLUMNS = CURVE + 2 * MOST_POINTS
# Ways of a spring: the distance of its points, the angle between the bodies, along a direction that body i carries.
APART, TURNED, ALONG = range(3)
L_POSE, L_BODY, L_POINT, L_FORCE, L_TORQUE, L_FACTOR, L_WAY, L_ALONG, L_TURNS, L_POINTS, L_CURVE = 0, 1, 2, 4, 6, 7, 8, 9, 11, 12, 13
LOAD_COLUMNS = L_CURVE + 2 * MOST_POINTS
P_DIRECTION, POINT_COLUMNS = 4, 6  # a point that is put out: the first four of a load, and a direction in the body
CODE, FIRST, SECOND, OUTPUT_COLUMNS = range(4)
# Rods; the beam's parameters are those of model.bodies.ancf_beam2d.kernel. Compliance: four for each frame that answers and each that is
# pushed: place by force, place by couple, slope by force, slope by couple.
ROD_SIZE, ROD_OWN, ROD_NODES, ROD_FRAMES, ROD_POSE, ROD_TRIPLE, ROD_BEAM, ROD_COLUMNS = 0, 1, 2, 3, 4, 5, 6, 10
COMPLIANCES = 4
B_TRIPLE, B_ROW, B_ROD, B_FRAME, B_INTO, BEND_COLUMNS = range(6)
SPAN_ROW, SPAN_FROM, SPAN_TRIPLE, SPAN_FRAMES, SPAN_COLUMNS = range(5)

# A body's pose in s: mass centre, angle, its cosine and sine, velocities, 1/sqrt(mass), 1/sqrt(inertia). Then the ground's and the frames'.
X, Y, ANGLE_OF, COS, SIN, VX, VY, OMEGA, ROOT_MASS, ROOT_INERTIA, POSE_COLUMNS = range(11)
TRIPLE = 3  # x, y, angle; a row of the Jacobian holds one for body i and one for body j

# What a channel can be.
STATE, ACCELERATION_OF, POINT_X, POINT_Y, POINT_VX, POINT_VY, POINT_AX, POINT_AY, POINT_ALONG, POINT_UP = range(10)
(
    MULTIPLIER, MULTIPLIER_SIZE, CONTACT_SIZE, CONTACT_X, CONTACT_Y, CONTACT_DEPTH, CONTACT_SUM, ACTUATOR_TORQUE, IN_POSE, PULL, PUSH,
) = range(10, 21)  # fmt: skip
