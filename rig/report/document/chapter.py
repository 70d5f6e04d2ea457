"""One test, section by section, in the order in which it is read."""

from __future__ import annotations

from rig.report.document.agreement_tables import channels, figures_of_comparison
from rig.report.document.bands import bands
from rig.report.document.configuration import configuration
from rig.report.document.content import Chapter, Section
from rig.report.document.criteria import criteria, judgement
from rig.report.document.cycle_tables import cycle_tables, endurance
from rig.report.document.deviations import deviations, events
from rig.report.document.evidence import evidence, versions
from rig.report.document.facts import facts, notes, title
from rig.report.document.figures import figures
from rig.report.document.reported_run import ReportedRun
from rig.report.document.sensors import sensors
from rig.report.document.validation import validation
from rig.report.document.wording import Words


def chapter(run: ReportedRun, key: str, words: Words) -> Chapter:
    """Reads the samples once for the figures. Raises ConfigError for samples that cannot be read."""
    drawn = Section("curves", words.titled("section.curves"), figures=figures(run, key, words), paragraphs=[words["figure.note"]])
    sections = [
        notes(run, words), criteria(run, words), channels(run, words), validation(run, words), bands(run, words), deviations(run, words),
        drawn, cycle_tables(run, words), endurance(run, words), sensors(run, words), *configuration(run, words),
        figures_of_comparison(run, words), events(run, words), evidence(run, words), versions(run, words),
    ]  # fmt: skip
    return Chapter(key, run.plan.run, title(run), facts(run, words), judgement(run, words), [one for one in sections if one is not None])
