"""Which nodes of the flexible slider touch the guide, which of them stick, and with what force: by trial, compiled (karnopp eqs 2-5).

A node on the upper (side = 1) or lower face (side = -1) presses with n = k_N d, d = side u_y - c/2, where that is positive, and rubs with
T = -k_T u_x along the guide, u_x counted from where its spring has no force, or with T = r n where it slips. The nodes' displacements are

    u_x = e_x + a_x (g_0 - y g_2) + (C F)_x,  u_y = e_y + a_y (g_1 + x g_2) + (C F)_y,  F = (nodes' forces, l + L g)

with e known, C the slider's compliance at its contact nodes and its hinge, the hinge's loads l + L g, and three unknowns g of the motion of
the whole, for which B g = c + (sum of T, of normal forces, of their moments). For given states of the nodes all this is linear. A solution
that contradicts the states changes them, and so on until it does not. What g, a, B, L mean is the caller's affair.
"""

from __future__ import annotations

from model.compiled.signatures import INDEX, REAL, VECTOR, Floats, compiled
from model.mechanisms.slider_bar.kernel import HEIGHT, PLACES, WEIGHT

# Places in p, after the rigid slider's: nodes of a face, k_N, k_T, c/2; then the nodes' x on a face, then C.
FACE, NORMAL_STIFFNESS, TANGENT_STIFFNESS, HALF_PLAY, PLACES_X = range(PLACES, PLACES + 5)
BAR_MASS = 1  # kg; place from the end of p
HINGE = 3  # loads along x and y and the moment
# Places in w: what the caller sets, what it reads.
HOLDING, LIMIT, RATIO, A_X, A_Y, ALONG, B, C, L, LOAD, G, TOTAL, RUBBING, HEAD = 0, 1, 2, 3, 4, 5, 6, 15, 18, 27, 30, 33, 34, 36
# Then blocks of one value for each node: lower face from rear to front, upper face.
STATE, SHARE, PRESSING, TANGENT, E_X, E_Y, U_X, U_Y, ANCHOR, ROW_N, ROW_T, BLOCKS = range(12)
OPEN, STICKS, SLIPS = range(3)  # of a node
TURNS = 3  # it slips, but the other way

SETTLED, UNSETTLED, SINGULAR = range(3)
TRIALS, ONE_BY_ONE, LEAST_INDEX = 400, 25, 200  # the last ones by Murty's least index, which ends
ROUNDING = 1e-11  # force that counts as none, share of the weight
SMALLEST = 1e-11  # pivot, share of the largest element


@compiled(INDEX(INDEX))
def room(nodes: int) -> int:
    """Length of w for so many nodes on both faces: the equations, and a solution that is kept, at the end."""
    unknowns = 2 * nodes + HINGE
    return HEAD + BLOCKS * nodes + unknowns * (unknowns + 1) + HEAD - G + 2 * nodes


@compiled(INDEX(VECTOR, VECTOR))
def keep(w: Floats, p: Floats) -> int:
    """Put g, sums and forces of the nodes where the next solution does not reach, at the end of w."""
    nodes = 2 * int(p[FACE])
    kept = room(nodes) - (HEAD - G + 2 * nodes)
    for k in range(HEAD - G):
        w[kept + k] = w[G + k]
    for k in range(2 * nodes):
        w[kept + HEAD - G + k] = w[HEAD + PRESSING * nodes + k]
    return 0


@compiled(INDEX(REAL, VECTOR, VECTOR))
def mix(share: float, w: Floats, p: Floats) -> int:
    """`share` of the present solution and the rest of the one kept: what is linear in the forces holds for the mix as it does for both."""
    nodes = 2 * int(p[FACE])
    kept = room(nodes) - (HEAD - G + 2 * nodes)
    for k in range(HEAD - G):
        w[G + k] = (1.0 - share) * w[kept + k] + share * w[G + k]
    for k in range(2 * nodes):
        w[HEAD + PRESSING * nodes + k] = (1.0 - share) * w[kept + HEAD - G + k] + share * w[HEAD + PRESSING * nodes + k]
    return 0


@compiled(INDEX(INDEX, INDEX, VECTOR))
def compliance(i: int, j: int, p: Floats) -> int:
    """Place of C_ij in p."""
    face = int(p[FACE])
    return PLACES_X + face + i * (4 * face + HINGE) + j


@compiled(INDEX(VECTOR, VECTOR))
def number(w: Floats, p: Floats) -> int:
    """Give every unknown its row; how many there are."""
    nodes, count = 2 * int(p[FACE]), HINGE
    state, row_n, row_t = HEAD + STATE * nodes, HEAD + ROW_N * nodes, HEAD + ROW_T * nodes
    for i in range(nodes):
        if w[state + i] != OPEN:
            w[row_n + i] = count
            count += 1
            if w[state + i] == STICKS:
                w[row_t + i] = count
                count += 1
    return count


@compiled(INDEX(INDEX, REAL, INDEX, INDEX, VECTOR, VECTOR))
def displace(row: int, factor: float, i: int, count: int, w: Floats, p: Floats) -> int:
    """Add `factor` times the part of coordinate i's displacement that C brings in to an equation: coefficients of all unknowns."""
    nodes = 2 * int(p[FACE])
    matrix = HEAD + BLOCKS * nodes + row * (count + 1)
    state, share = HEAD + STATE * nodes, HEAD + SHARE * nodes
    row_n, row_t = HEAD + ROW_N * nodes, HEAD + ROW_T * nodes
    for j in range(nodes):
        if w[state + j] == OPEN:
            continue
        along, across = p[compliance(i, 2 * j, p)], p[compliance(i, 2 * j + 1, p)]
        across *= -1.0 if 2 * j >= nodes else 1.0
        if w[state + j] == STICKS:
            w[matrix + int(w[row_t + j])] += factor * along
        else:
            across += along * w[share + j]
        w[matrix + int(w[row_n + j])] += factor * across
    for k in range(HINGE):
        soft = factor * p[compliance(i, 2 * nodes + k, p)]
        for m in range(HINGE):
            w[matrix + m] += soft * w[L + 3 * k + m]
    return 0


@compiled(INDEX(INDEX, VECTOR, VECTOR))
def assemble(count: int, w: Floats, p: Floats) -> int:
    """The linear equations of the present states, with the right-hand side as last column."""
    face = int(p[FACE])
    nodes, width = 2 * face, count + 1
    matrix = HEAD + BLOCKS * nodes
    state, share = HEAD + STATE * nodes, HEAD + SHARE * nodes
    row_n, row_t, e_x, e_y = HEAD + ROW_N * nodes, HEAD + ROW_T * nodes, HEAD + E_X * nodes, HEAD + E_Y * nodes
    k_n, k_t = p[NORMAL_STIFFNESS], p[TANGENT_STIFFNESS]
    for k in range(matrix, matrix + count * width):
        w[k] = 0.0
    for k in range(HINGE):
        for m in range(HINGE):
            w[matrix + k * width + m] = w[B + 3 * k + m]
        w[matrix + k * width + count] = w[C + k]
    for i in range(nodes):
        if w[state + i] == OPEN:
            continue
        side = 1.0 if i >= face else -1.0
        x, y = p[PLACES_X + i % face], side * 0.5 * p[HEIGHT]
        column = int(w[row_n + i])
        row = matrix + column * width
        displace(column, -k_n * side, 2 * i + 1, count, w, p)
        w[row + column] += 1.0
        w[row + 1] -= k_n * side * w[A_Y]
        w[row + 2] -= k_n * side * w[A_Y] * x
        w[row + count] = k_n * (side * w[e_y + i] - p[HALF_PLAY])
        ratio = w[share + i] if w[state + i] == SLIPS else 0.0
        w[matrix + column] -= ratio * w[ALONG]
        w[matrix + width + column] += side
        w[matrix + 2 * width + column] += x * side + y * ratio
        if w[state + i] == STICKS:
            column = int(w[row_t + i])
            row = matrix + column * width
            displace(column, k_t, 2 * i, count, w, p)
            w[row + column] += 1.0
            w[row] += k_t * w[A_X]
            w[row + 2] -= k_t * w[A_X] * y
            w[row + count] = -k_t * w[e_x + i]
            w[matrix + column] -= w[ALONG]
            w[matrix + 2 * width + column] += y
    return 0


@compiled(INDEX(INDEX, INDEX, VECTOR))
def eliminate(matrix: int, count: int, w: Floats) -> int:
    """Solve the equations that begin at `matrix`, in place: the solution is in the last column. SETTLED or SINGULAR."""
    width = count + 1
    for k in range(HINGE):  # g in units that make it as large as the forces
        w[G + k] = 0.0
        for i in range(count):
            w[G + k] = max(w[G + k], abs(w[matrix + i * width + k]))
        if not w[G + k] > 0.0:
            return SINGULAR
        for i in range(count):
            w[matrix + i * width + k] /= w[G + k]
    for k in range(count):  # every equation in units of its largest coefficient
        row, most = matrix + k * width, 0.0
        for j in range(count):
            most = max(most, abs(w[row + j]))
        if not most > 0.0:
            return SINGULAR
        for j in range(width):
            w[row + j] /= most
    for k in range(count):
        best, place = 0.0, k
        for i in range(k, count):
            if abs(w[matrix + i * width + k]) > best:
                best, place = abs(w[matrix + i * width + k]), i
        if not best > SMALLEST:
            return SINGULAR
        if place != k:
            for j in range(k, width):
                a, b = matrix + k * width + j, matrix + place * width + j
                w[a], w[b] = w[b], w[a]
        upper = matrix + k * width
        for i in range(k + 1, count):
            row = matrix + i * width
            factor = w[row + k] / w[upper + k]
            if factor != 0.0:
                for j in range(k + 1, width):
                    w[row + j] -= factor * w[upper + j]
    for k in range(count - 1, -1, -1):
        row = matrix + k * width
        total = w[row + count]
        for j in range(k + 1, count):
            total -= w[row + j] * w[matrix + j * width + count]
        w[row + count] = total / w[row + k]
    for k in range(HINGE):
        w[matrix + k * width + count] /= w[G + k]
    return SETTLED


@compiled(INDEX(INDEX, VECTOR, VECTOR))
def unpack(count: int, w: Floats, p: Floats) -> int:
    """Forces of the nodes and their displacements, with g, from the solution."""
    face = int(p[FACE])
    nodes, width = 2 * face, count + 1
    matrix = HEAD + BLOCKS * nodes
    state, share, press, rub = HEAD + STATE * nodes, HEAD + SHARE * nodes, HEAD + PRESSING * nodes, HEAD + TANGENT * nodes
    for k in range(HINGE):
        w[G + k] = w[matrix + k * width + count]
    w[TOTAL], w[RUBBING] = 0.0, 0.0
    for i in range(nodes):
        w[press + i], w[rub + i] = 0.0, 0.0
        if w[state + i] != OPEN:
            w[press + i] = w[matrix + int(w[HEAD + ROW_N * nodes + i]) * width + count]
            w[rub + i] = w[share + i] * w[press + i]
            if w[state + i] == STICKS:
                w[rub + i] = w[matrix + int(w[HEAD + ROW_T * nodes + i]) * width + count]
        w[TOTAL] += w[press + i]
        w[RUBBING] += w[rub + i]
    for i in range(nodes):
        side = 1.0 if i >= face else -1.0
        x, y = p[PLACES_X + i % face], side * 0.5 * p[HEIGHT]
        along = w[HEAD + E_X * nodes + i] + w[A_X] * (w[G] - y * w[G + 2])
        across = w[HEAD + E_Y * nodes + i] + w[A_Y] * (w[G + 1] + x * w[G + 2])
        for j in range(nodes):
            if w[state + j] != OPEN:
                up = -w[press + j] if j >= face else w[press + j]
                along += p[compliance(2 * i, 2 * j, p)] * w[rub + j] + p[compliance(2 * i, 2 * j + 1, p)] * up
                across += p[compliance(2 * i + 1, 2 * j, p)] * w[rub + j] + p[compliance(2 * i + 1, 2 * j + 1, p)] * up
        for k in range(HINGE):
            load = w[L + 3 * k] * w[G] + w[L + 3 * k + 1] * w[G + 1] + w[L + 3 * k + 2] * w[G + 2]
            along += p[compliance(2 * i, 2 * nodes + k, p)] * load
            across += p[compliance(2 * i + 1, 2 * nodes + k, p)] * load
        w[HEAD + U_X * nodes + i], w[HEAD + U_Y * nodes + i] = along, across
    return 0


@compiled(INDEX(INDEX, INDEX, VECTOR, VECTOR))
def contradiction(i: int, touching: int, w: Floats, p: Floats) -> int:
    """The state that the solution wants for node i, or TURNS; `SHARE` becomes what it would slip with.

    touching: how many nodes do; one that does so alone is what the slider turns about, and no place is too far for it to stick.
    """
    face = int(p[FACE])
    nodes = 2 * face
    state, share, rounding = int(w[HEAD + STATE * nodes + i]), HEAD + SHARE * nodes + i, ROUNDING * abs(p[WEIGHT])
    side = 1.0 if i >= face else -1.0
    pressing = w[HEAD + PRESSING * nodes + i]
    would = -p[TANGENT_STIFFNESS] * w[HEAD + U_X * nodes + i]
    if state == OPEN:
        pressing = p[NORMAL_STIFFNESS] * (side * w[HEAD + U_Y * nodes + i] - p[HALF_PLAY])
        if pressing <= rounding:
            return OPEN
        if w[HOLDING] == 0.0:
            w[share] = w[RATIO]
        elif abs(would) > w[LIMIT] * pressing:
            w[share] = w[LIMIT] if would > 0.0 else -w[LIMIT]
        else:
            return STICKS
        return SLIPS
    if pressing < -rounding:
        return OPEN
    if w[HOLDING] == 0.0:
        return SLIPS
    if state == STICKS:
        rubbing = w[HEAD + TANGENT * nodes + i]
        if abs(rubbing) > w[LIMIT] * pressing + rounding:
            w[share] = w[LIMIT] if rubbing > 0.0 else -w[LIMIT]
            return SLIPS
        return STICKS
    back = would if w[share] > 0.0 else -would
    if (
        touching > 1 and back < -w[LIMIT] * pressing - rounding
    ):  # far from where it would stick: a spring that pulls it there would tear the others off
        w[share] = -w[share]
        return TURNS
    return STICKS if back < w[LIMIT] * pressing - rounding else SLIPS


@compiled(INDEX(VECTOR, VECTOR))
def hinge_loads(w: Floats, p: Floats) -> int:
    """Take the known loads of the hinge into the known displacements."""
    nodes = 2 * int(p[FACE])
    for i in range(nodes):
        for k in range(HINGE):
            w[HEAD + E_X * nodes + i] += p[compliance(2 * i, 2 * nodes + k, p)] * w[LOAD + k]
            w[HEAD + E_Y * nodes + i] += p[compliance(2 * i + 1, 2 * nodes + k, p)] * w[LOAD + k]
    return 0


@compiled(INDEX(INDEX, INDEX, VECTOR, VECTOR))
def change(first: int, contact: int, w: Floats, p: Floats) -> int:
    """Give the nodes that contradict the states that they want; how many. first: one alone; contact: only those that open or close."""
    nodes, touching, changed = 2 * int(p[FACE]), 0, 0
    state, share = HEAD + STATE * nodes, HEAD + SHARE * nodes
    for i in range(nodes):
        touching += 1 if w[state + i] != OPEN else 0
    for i in range(nodes):
        before = w[share + i]
        wanted = contradiction(i, touching, w, p)
        if wanted == w[state + i]:
            continue
        if contact and wanted != OPEN and w[state + i] != OPEN:
            w[share + i] = before
            continue
        w[state + i] = SLIPS if wanted == TURNS else wanted
        changed += 1
        if first:
            break
    return changed


@compiled(INDEX(VECTOR, VECTOR))
def settle(w: Floats, p: Floats) -> int:
    """Try states, from those in w on, until the solution agrees with them. SETTLED, UNSETTLED or SINGULAR.

    At first every node that contradicts changes; then which ones touch is settled before the first one sticks or slips; last comes Murty's.
    """
    nodes = 2 * int(p[FACE])
    hinge_loads(w, p)
    for trial in range(TRIALS):
        count = number(w, p)
        assemble(count, w, p)
        if eliminate(HEAD + BLOCKS * nodes, count, w) == SINGULAR:
            return SINGULAR
        unpack(count, w, p)
        by_turns = trial >= ONE_BY_ONE
        if by_turns and trial < LEAST_INDEX and change(0, 1, w, p) > 0:
            continue
        if change(1 if by_turns else 0, 0, w, p) == 0:
            return SETTLED
    return UNSETTLED


@compiled(INDEX(VECTOR, VECTOR, VECTOR))
def areas(values: Floats, w: Floats, p: Floats) -> int:
    """Normal forces, then friction, of the areas (upper rear, upper front, lower rear, lower front); a node in the middle is of both."""
    face = int(p[FACE])
    nodes = 2 * face
    for k in range(8):
        values[k] = 0.0
    for i in range(nodes):
        pressing, rubbing, x = w[HEAD + PRESSING * nodes + i], w[HEAD + TANGENT * nodes + i], p[PLACES_X + i % face]
        first = 0 if i >= face else 2
        front = 0.5 if abs(x) < 1e-12 else (1.0 if x > 0.0 else 0.0)
        up = -pressing if i >= face else pressing
        values[first] += (1.0 - front) * up
        values[first + 1] += front * up
        values[first + 4] += (1.0 - front) * rubbing
        values[first + 5] += front * rubbing
    return 0
