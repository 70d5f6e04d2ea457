"""Where everything of a planar linkage stands in p (parameters) and y (state) of its plant (`planar_kernel`)."""

from __future__ import annotations

from rig.virtual.plants.surfaces import CONTACT_COLUMNS, CONTACT_STATES

# Header of p: how many there are of each, and where their tables begin; growth of plays, m/J; place in y of the room for formulas.
(
    AXES, BODIES, BUSHES, LINES, TWISTS, JOURNALS, CORNERS, SPRINGS, LOADS, SENSORS, MESHES, FOLLOWERS, MOTORS,
    AT_AXES, AT_BODIES, AT_BUSHES, AT_LINES, AT_TWISTS, AT_JOURNALS, AT_CORNERS, AT_SPRINGS, AT_LOADS, AT_SENSORS, AT_MESHES, AT_FOLLOWERS,
    AT_MOTORS, WEIGHT, WEIGHT_Y, WEAR, STACK, HEADER,
) = range(31)  # fmt: skip
# An axis: inertia before the shaft, friction, the bodies between which it turns, the shaft.
A_INERTIA, A_VISCOUS, A_COULOMB, A_I, A_J, A_STIFFNESS, A_DAMPING, AXIS_COLUMNS = range(8)
B_MASS, B_INERTIA, BODY_COLUMNS = range(3)
# What lies between two bodies: their numbers, a point of each from its mass centre, stiffness and damping.
BODY_I, BODY_J, SI, SJ, STIFFNESS, DAMPING, OWN = 0, 1, 2, 4, 6, 7, 8
RUB_MU, RUB_STIFFNESS, RUB_STATE = OWN, OWN + 1, OWN + 2
OFFSET, BUSH_COLUMNS = OWN + 3, OWN + 5
DIRECTION, PLACE, LINE_COLUMNS = OWN + 3, OWN + 5, OWN + 6
LENGTH, WAY, HEADING, PRELOAD, ONE_SIDED, BY_RATE, POINTS, SHAPE = OWN, OWN + 1, OWN + 2, OWN + 4, OWN + 5, OWN + 6, OWN + 7, OWN + 8
MOST_POINTS = 16
SPRING_COLUMNS = SHAPE + 2 * MOST_POINTS
APART, TURNED, ALONG = range(3)
"""What a spring goes by: the distance of its points, the angle of its bodies, the way along a direction in body i."""
ANGLE, TWIST_COLUMNS = OWN, OWN + 1
RADIUS_I, RADIUS_J, LAW = OWN, OWN + 1, OWN + 2
JOURNAL_COLUMNS = LAW + CONTACT_COLUMNS
# A corner: the guide's line in body i, the slider's in body j; which end, which side; half length and height, gap.
GUIDE, SLIDER, END, SIDE, HALF_LENGTH, HALF_HEIGHT, GAP, CORNER_LAW = OWN, OWN + 2, OWN + 4, OWN + 5, OWN + 6, OWN + 7, OWN + 8, OWN + 9
CORNER_COLUMNS = CORNER_LAW + CONTACT_COLUMNS
# Two wheels: their arms by which angles make the arc, and the place in y of the arc at the start.
WHEEL_I, WHEEL_J, ARC, MESH_COLUMNS = OWN, OWN + 1, OWN + 2, OWN + 3
# A follower: kind, whether its curve closes, nodes of it (how many, place in p), play, direction of a wall's normal in body i or of a
# face's in body j, law; where STIFFNESS is more than 0 it cannot leave.
F_KIND, F_CLOSED, F_COUNT, F_NODES, F_GAP, F_HEADING, F_LAW = OWN, OWN + 1, OWN + 2, OWN + 3, OWN + 4, OWN + 5, OWN + 7
FOLLOWER_COLUMNS = F_LAW + CONTACT_COLUMNS
ON_CURVE, ON_FACE, ON_WALL = range(3)
# A motor: kind, places of its own state in y and of its function in p (0: none), parameters by its kind.
M_KIND, M_OWN, M_FUNCTION, M_PARAMETERS, MOTOR_COLUMNS = OWN, OWN + 1, OWN + 2, OWN + 3, OWN + 8
DIRECT_CURRENT, INDUCTION, SERVO = range(3)
M_CONSTANT, M_RESISTANCE, M_INDUCTANCE, M_GEAR = (M_PARAMETERS + n for n in range(4))
M_PULL_OUT, M_SLIP, M_SYNCHRONOUS = M_PARAMETERS, M_PARAMETERS + 1, M_PARAMETERS + 2
M_ANGLE_GAIN, M_SPEED_GAIN, M_INTEGRAL_GAIN, M_TORQUE_LIMIT, M_SPEED_LIMIT = (M_PARAMETERS + n for n in range(5))
# A load: its factor over time by points, or a function (0: none); a function that says how far it has gone along a direction in the body.
L_BODY, L_POINT, L_FORCE, L_TORQUE, L_FACTOR, L_WAY, L_ALONG, L_TURNS, L_POINTS, L_SHAPE = 0, 1, 3, 5, 6, 7, 8, 10, 11, 12
LOAD_COLUMNS = L_SHAPE + 2 * MOST_POINTS
# States of a contact in y: those of its law, then by how much its play has grown, m; of a follower also where its curve is nearest.
WORN = CONTACT_STATES
TOUCH_STATES = WORN + 1
AT_U, FOLLOWER_STATES = TOUCH_STATES, TOUCH_STATES + 1
S_KIND, S_OF, S_POINT, S_DIRECTION, S_FEELS, SENSOR_COLUMNS = 0, 1, 2, 4, 6, 7
TORQUE, SPEED, ACCELERATION, POSITION, FORCE, PULL = range(6)
"""Kinds of sensor: torque and speed of an axis; of a point, along a direction that its body carries, or the ground; force in a bush; what a
straight spring between two points pulls with."""
# A body in y: place of its mass centre and angle, their rates, cosine and sine, the force on it, its accelerations.
X, Y, PHI, VX, VY, W, COS, SIN, FX, FY, M, AX, AY, TURN, BODY_STATES = range(15)
