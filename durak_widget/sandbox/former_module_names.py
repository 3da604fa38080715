"""Lets old programs of students use the former names of modules, functions and classes.

Runs only in the process in which students' code runs. Nothing is imported before the program asks for it.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES: Final[Mapping[str, str]] = {
    "durak_widget.Played": "durak_widget.PlayedMove",
    "durak_widget.View": "durak_widget.Observation",
    "durak_widget.analysis.Count": "durak_widget.analysis.WorldCount",
    "durak_widget.analysis.Judged": "durak_widget.analysis.PlayerEvaluation",
    "durak_widget.analysis.Judgement": "durak_widget.analysis.StrategyEvaluation",
    "durak_widget.analysis.Opened": "durak_widget.analysis.DoubleDummyResult",
    "durak_widget.analysis.Secret": "durak_widget.analysis.InformationValues",
    "durak_widget.analysis.bot_of": "durak_widget.analysis.convert_strategy_to_bot",
    "durak_widget.analysis.build": "durak_widget.analysis.build_game_tree",
    "durak_widget.analysis.build_from": "durak_widget.analysis.build_tree_from_position",
    "durak_widget.analysis.endgame.solve": "durak_widget.analysis.endgame.solve_endgame",
    "durak_widget.analysis.game_of": "durak_widget.analysis.restore_game",
    "durak_widget.analysis.histories": "durak_widget.analysis.count_histories",
    "durak_widget.analysis.judge": "durak_widget.analysis.evaluate_strategy",
    "durak_widget.analysis.look_of": "durak_widget.analysis.make_implicit_game",
    "durak_widget.analysis.open_hands": "durak_widget.analysis.solve_double_dummy",
    "durak_widget.analysis.openspiel_bridge.NAME": "durak_widget.analysis.openspiel_bridge.GAME_NAME",
    "durak_widget.analysis.openspiel_bridge.load": "durak_widget.analysis.openspiel_bridge.convert_tree_to_game",
    "durak_widget.analysis.openspiel_bridge.look": "durak_widget.analysis.openspiel_bridge.expand_state",
    "durak_widget.analysis.openspiel_bridge.policy": "durak_widget.analysis.openspiel_bridge.convert_strategy_to_policy",
    "durak_widget.analysis.openspiel_bridge.strategy": "durak_widget.analysis.openspiel_bridge.convert_policy_to_strategy",
    "durak_widget.analysis.openspiel_bridge.tree_of": "durak_widget.analysis.openspiel_bridge.convert_game_to_tree",
    "durak_widget.analysis.secret": "durak_widget.analysis.compute_information_values",
    "durak_widget.analysis.strategy_of": "durak_widget.analysis.convert_bot_to_strategy",
    "durak_widget.analysis.told": "durak_widget.analysis.describe_infoset_history",
    "durak_widget.analysis.view_of": "durak_widget.analysis.restore_view",
    "durak_widget.arena.KeptFileError": "durak_widget.arena.TournamentFileError",
    "durak_widget.arena.between": "durak_widget.arena.ratings",
    "durak_widget.arena.cells": "durak_widget.arena.bot_entrants",
    "durak_widget.arena.command": "durak_widget.arena.command_line",
    "durak_widget.arena.deals": "durak_widget.arena.schedule",
    "durak_widget.arena.entrants": "durak_widget.arena.bot_entrants",
    "durak_widget.arena.kept_games": "durak_widget.arena.tournament_file",
    "durak_widget.arena.meeting": "durak_widget.arena.duplicate_games",
    "durak_widget.arena.plan": "durak_widget.arena.schedule",
    "durak_widget.arena.playing": "durak_widget.arena.tournament_runner",
    "durak_widget.arena.same_play": "durak_widget.arena.ratings",
    "durak_widget.arena.shown.claims": "durak_widget.arena.result_sentences",
    "durak_widget.arena.shown.drawing": "durak_widget.arena.svg_plots",
    "durak_widget.arena.shown.inks": "durak_widget.arena.result_sentences",
    "durak_widget.arena.shown.lines": "durak_widget.arena.standings_page",
    "durak_widget.arena.shown.tables": "durak_widget.arena.standings_page",
    "durak_widget.arena.shown.told": "durak_widget.arena.result_types",
    "durak_widget.arena.shown.wall": "durak_widget.arena.standings_page",
    "durak_widget.arena.strengths": "durak_widget.arena.bradley_terry",
    "durak_widget.board.picture": "durak_widget.board.save_picture",
    "durak_widget.bots.Choice": "durak_widget.bots.ChooseFunction",
    "durak_widget.bots.careful": "durak_widget.bots.heuristic_bots",
    "durak_widget.bots.claims": "durak_widget.table.opponent_remarks",
    "durak_widget.bots.counting": "durak_widget.bots.counting_bot",
    "durak_widget.bots.heuristic_bots.prices": "durak_widget.bots.heuristic_bots.get_card_prices",
    "durak_widget.bots.people": "durak_widget.bots.opponents",
    "durak_widget.bots.playing": "durak_widget.bots.bot",
    "durak_widget.bots.recalled": "durak_widget.table.opponent_remarks",
    "durak_widget.bots.saying": "durak_widget.table.opponent_remarks",
    "durak_widget.bots.searching": "durak_widget.bots.monte_carlo_bot",
    "durak_widget.bots.simple": "durak_widget.bots.heuristic_bots",
    "durak_widget.bots.styles": "durak_widget.bots.heuristic_bots",
    "durak_widget.engine.determinization.state_of": "durak_widget.engine.determinization.build_state",
    "durak_widget.exercises.habit_bot.Habits": "durak_widget.exercises.habit_bot.HabitBot",
    "durak_widget.fast_engine.WholeGames": "durak_widget.fast_engine.SimulationResult",
    "durak_widget.fast_engine.games": "durak_widget.fast_engine.simulate_games",
    "durak_widget.fast_engine.played": "durak_widget.fast_engine.position_after",
    "durak_widget.fast_engine.which": "durak_widget.fast_engine.describe_host",
    "durak_widget.fast_engine.why_not": "durak_widget.fast_engine.explain_unsupported_rules",
    "durak_widget.files": "durak_widget.atomic_files",
    "durak_widget.game.game": "durak_widget.engine.game",
    "durak_widget.game.match": "durak_widget.engine.match",
    "durak_widget.game.play.bouts": "durak_widget.engine.state_transitions",
    "durak_widget.game.play.ending": "durak_widget.engine.outcome_wording",
    "durak_widget.game.play.engine": "durak_widget.engine.state_transitions",
    "durak_widget.game.play.kit": "durak_widget.engine.compiled_rules",
    "durak_widget.game.play.moves": "durak_widget.engine.moves",
    "durak_widget.game.play.pairs": "durak_widget.engine.history",
    "durak_widget.game.play.price": "durak_widget.engine.cheapest_move",
    "durak_widget.game.play.refusal": "durak_widget.engine.moves",
    "durak_widget.game.play.state": "durak_widget.engine.state",
    "durak_widget.game.play.swapping": "durak_widget.engine.state_transitions",
    "durak_widget.game.play.thrift": "durak_widget.engine.cheapest_move",
    "durak_widget.game.play.why": "durak_widget.engine.illegal_move_reasons",
    "durak_widget.game.seen.restored": "durak_widget.engine.determinization",
    "durak_widget.game.seen.sight": "durak_widget.engine.observation",
    "durak_widget.game.seen.story": "durak_widget.engine.history",
    "durak_widget.game.seen.view": "durak_widget.engine.observation",
    "durak_widget.game.shown.picture": "durak_widget.engine.table_svg",
    "durak_widget.game.shown.pips": "durak_widget.engine.card_svg",
    "durak_widget.game.shown.sentences": "durak_widget.engine.narration",
    "durak_widget.game.shown.strip": "durak_widget.engine.table_svg",
    "durak_widget.game.shown.strokes": "durak_widget.engine.table_svg",
    "durak_widget.game.written.line": "durak_widget.engine.position_notation",
    "durak_widget.game.written.position": "durak_widget.engine.position_setup",
    "durak_widget.game.written.record": "durak_widget.engine.game_record",
    "durak_widget.game.written.saving": "durak_widget.engine.game_record",
    "durak_widget.games": "durak_widget.gametheory",
    "durak_widget.games.answers.answer": "durak_widget.gametheory.solver_selection",
    "durak_widget.games.answers.behaviours": "durak_widget.gametheory.nash_verification",
    "durak_widget.games.answers.called": "durak_widget.gametheory.equilibrium_list",
    "durak_widget.games.answers.from_the_end": "durak_widget.gametheory.subgame_perfection",
    "durak_widget.games.answers.judged": "durak_widget.gametheory.equilibrium_refinements",
    "durak_widget.games.answers.listed": "durak_widget.gametheory.equilibrium_list",
    "durak_widget.games.answers.notes": "durak_widget.gametheory.equilibrium_list",
    "durak_widget.games.answers.of_plans": "durak_widget.gametheory.mixed_to_behaviour",
    "durak_widget.games.answers.of_plans.gains_by": "durak_widget.gametheory.best_responses.compute_player_gains",
    "durak_widget.games.answers.of_plans.lost_by": "durak_widget.gametheory.best_responses.nash_conv_or_infinity",
    "durak_widget.games.answers.of_plans.no_plan_gains": "durak_widget.gametheory.nash_verification.has_no_pure_deviation",
    "durak_widget.games.answers.of_plans.worths_of": "durak_widget.gametheory.best_responses.compute_player_values",
    "durak_widget.games.bridges.gambit": "durak_widget.gametheory.pygambit_bridge",
    "durak_widget.games.kit.elimination": "durak_widget.gametheory.quantal_response",
    "durak_widget.games.kit.gambit_words": "durak_widget.gametheory.gambit_files",
    "durak_widget.games.kit.needed": "durak_widget.optional_dependencies",
    "durak_widget.games.kit.progress": "durak_widget.gametheory.solver_progress",
    "durak_widget.games.kit.reckoned": "durak_widget.gametheory.number_parsing",
    "durak_widget.games.kit.written": "durak_widget.gametheory.number_parsing",
    "durak_widget.games.matrices.dominance": "durak_widget.gametheory.dominance",
    "durak_widget.games.matrices.equilibrium": "durak_widget.gametheory.bimatrix_equilibria",
    "durak_widget.games.matrices.forms": "durak_widget.gametheory.strategic_form",
    "durak_widget.games.matrices.nfg": "durak_widget.gametheory.gambit_files",
    "durak_widget.games.matrices.payoffs": "durak_widget.gametheory.strategic_form",
    "durak_widget.games.matrices.simplex": "durak_widget.gametheory.exact_lp",
    "durak_widget.games.nash.behaviour": "durak_widget.gametheory.mixed_to_behaviour",
    "durak_widget.games.nash.beliefs": "durak_widget.gametheory.beliefs",
    "durak_widget.games.nash.fillings": "durak_widget.gametheory.off_path_completion",
    "durak_widget.games.nash.from_below": "durak_widget.gametheory.subgame_perfection",
    "durak_widget.games.nash.kinds": "durak_widget.gametheory.game_properties",
    "durak_widget.games.nash.lemke": "durak_widget.gametheory.sequence_form_lcp",
    "durak_widget.games.nash.logit": "durak_widget.gametheory.quantal_response",
    "durak_widget.games.nash.onward": "durak_widget.gametheory.beliefs",
    "durak_widget.games.nash.pure_ones": "durak_widget.gametheory.pure_nash_equilibria",
    "durak_widget.games.nash.quantal": "durak_widget.gametheory.quantal_response",
    "durak_widget.games.nash.rounding": "durak_widget.gametheory.solver_selection",
    "durak_widget.games.nash.rounding.FINEST": "durak_widget.gametheory.strategy.MAX_DENOMINATOR",
    "durak_widget.games.nash.rounding.NEARNESS": "durak_widget.gametheory.strategy.TOLERANCES",
    "durak_widget.games.nash.rounding.near_strategies": "durak_widget.gametheory.strategy.generate_near_strategies",
    "durak_widget.games.nash.signals": "durak_widget.gametheory.signalling_games",
    "durak_widget.games.nash.subgames": "durak_widget.gametheory.game_properties",
    "durak_widget.games.nash.trembles": "durak_widget.gametheory.sequential_equilibrium",
    "durak_widget.games.solving.backward": "durak_widget.gametheory.backward_induction_solver",
    "durak_widget.games.solving.certificate": "durak_widget.gametheory.certificate",
    "durak_widget.games.solving.cfr": "durak_widget.gametheory.cfr_plus",
    "durak_widget.games.solving.checker": "durak_widget.gametheory.certificate_checker",
    "durak_widget.games.solving.double_oracle": "durak_widget.gametheory.double_oracle_solver",
    "durak_widget.games.solving.exact": "durak_widget.gametheory.rational_recovery",
    "durak_widget.games.solving.fitting": "durak_widget.gametheory.game_properties",
    "durak_widget.games.solving.held": "durak_widget.gametheory.best_responses",
    "durak_widget.games.solving.linear": "durak_widget.gametheory.sequence_form",
    "durak_widget.games.solving.plain_cfr": "durak_widget.gametheory.cfr_plus_without_numpy",
    "durak_widget.games.solving.repairs": "durak_widget.gametheory.infoset_regret",
    "durak_widget.games.solving.responses": "durak_widget.gametheory.best_responses",
    "durak_widget.games.solving.sampling": "durak_widget.gametheory.outcome_sampling_mccfr",
    "durak_widget.games.solving.sequence": "durak_widget.gametheory.sequence_form",
    "durak_widget.games.solving.solution": "durak_widget.gametheory.zero_sum_solver",
    "durak_widget.games.solving.strategy": "durak_widget.gametheory.strategy",
    "durak_widget.games.trees.books": "durak_widget.gametheory.textbook_games",
    "durak_widget.games.trees.efg": "durak_widget.gametheory.gambit_files",
    "durak_widget.games.trees.meeting": "durak_widget.gametheory.tree",
    "durak_widget.games.trees.naming": "durak_widget.gametheory.infoset_labels",
    "durak_widget.games.trees.player_names": "durak_widget.gametheory.player_labels",
    "durak_widget.games.trees.tree": "durak_widget.gametheory.tree",
    "durak_widget.gametheory.Backward": "durak_widget.gametheory.BackwardInductionResult",
    "durak_widget.gametheory.Draw": "durak_widget.gametheory.ChanceNode",
    "durak_widget.gametheory.End": "durak_widget.gametheory.TerminalNode",
    "durak_widget.gametheory.MissingError": "durak_widget.gametheory.MissingPackageError",
    "durak_widget.gametheory.Response": "durak_widget.gametheory.BestResponse",
    "durak_widget.gametheory.Standing": "durak_widget.gametheory.InfosetValues",
    "durak_widget.gametheory.Turn": "durak_widget.gametheory.DecisionNode",
    "durak_widget.gametheory.Undominated": "durak_widget.gametheory.IteratedElimination",
    "durak_widget.gametheory.bayes": "durak_widget.gametheory.bayesian_beliefs",
    "durak_widget.gametheory.check": "durak_widget.gametheory.check_certificate",
    "durak_widget.gametheory.dominated_plans": "durak_widget.gametheory.find_dominated_strategies",
    "durak_widget.gametheory.forgets": "durak_widget.gametheory.describe_imperfect_recall",
    "durak_widget.gametheory.grow": "durak_widget.gametheory.build_tree",
    "durak_widget.gametheory.intuitively_refuted": "durak_widget.gametheory.find_intuitive_refutations",
    "durak_widget.gametheory.pure_ones": "durak_widget.gametheory.find_pure_equilibria",
    "durak_widget.gametheory.sequential": "durak_widget.gametheory.verify_sequential_equilibrium",
    "durak_widget.gametheory.subgame_perfect": "durak_widget.gametheory.find_subgame_perfect_equilibria",
    "durak_widget.gametheory.tree_of_nfg": "durak_widget.gametheory.tree_from_nfg",
    "durak_widget.gametheory.undominated_plans": "durak_widget.gametheory.eliminate_dominated_strategies",
    "durak_widget.gametheory.values": "durak_widget.gametheory.infoset_values",
    "durak_widget.gametheory.weakly_perfect": "durak_widget.gametheory.evaluate_weak_perfect_bayesian",
    "durak_widget.i18n.Voice": "durak_widget.i18n.Translator",
    "durak_widget.i18n.called": "durak_widget.i18n.get_opponent_name",
    "durak_widget.i18n.codes": "durak_widget.i18n.list_language_codes",
    "durak_widget.i18n.language": "durak_widget.i18n.get_language",
    "durak_widget.i18n.screen": "durak_widget.i18n.get_front_end_texts",
    "durak_widget.i18n.speak": "durak_widget.i18n.set_default_language",
    "durak_widget.i18n.spoken": "durak_widget.i18n.get_default_language",
    "durak_widget.kernel": "durak_widget.fast_engine",
    "durak_widget.kernel.chance": "durak_widget.fast_engine.random_generator",
    "durak_widget.kernel.expressed": "durak_widget.fast_engine.supported_rules",
    "durak_widget.kernel.games": "durak_widget.fast_engine.game_simulation",
    "durak_widget.kernel.hosts": "durak_widget.fast_engine.wasm_host",
    "durak_widget.kernel.image": "durak_widget.fast_engine.state_encoding",
    "durak_widget.kernel.machine": "durak_widget.fast_engine.engine_instance",
    "durak_widget.kernel.moments": "durak_widget.fast_engine.state_encoding",
    "durak_widget.kernel.policies": "durak_widget.fast_engine.game_simulation",
    "durak_widget.kernel.seen": "durak_widget.fast_engine.state_queries",
    "durak_widget.lessons.boards.backward": "durak_widget.exercises.node_value_question",
    "durak_widget.lessons.boards.cells": "durak_widget.exercises.equilibrium_question",
    "durak_widget.lessons.boards.drawn": "durak_widget.exercises.tree_construction_question",
    "durak_widget.lessons.boards.filled": "durak_widget.exercises.payoff_question",
    "durak_widget.lessons.boards.joined": "durak_widget.exercises.information_set_question",
    "durak_widget.lessons.boards.marked": "durak_widget.exercises.best_response_question",
    "durak_widget.lessons.boards.matrices": "durak_widget.exercises.node_and_cell_lookup",
    "durak_widget.lessons.boards.on_board": "durak_widget.exercises.blackboard_exercise",
    "durak_widget.lessons.boards.on_matrix": "durak_widget.exercises.matrix_exercise",
    "durak_widget.lessons.boards.on_tree": "durak_widget.exercises.tree_exercise",
    "durak_widget.lessons.boards.perfect": "durak_widget.exercises.equilibrium_path_question",
    "durak_widget.lessons.boards.ready": "durak_widget.exercises.blackboard_serialization",
    "durak_widget.lessons.boards.stills": "durak_widget.exercises.blackboard_exercise",
    "durak_widget.lessons.boards.struck": "durak_widget.exercises.dominance_question",
    "durak_widget.lessons.boards.valued": "durak_widget.exercises.node_value_question",
    "durak_widget.lessons.carried": "durak_widget.lessons.notebook_installer",
    "durak_widget.lessons.coach.coaching": "durak_widget.lessons.coached_game",
    "durak_widget.lessons.coach.guided": "durak_widget.lessons.coached_game",
    "durak_widget.lessons.coach.topics": "durak_widget.lessons.coached_game",
    "durak_widget.lessons.endings.daily": "durak_widget.lessons.puzzle_practice",
    "durak_widget.lessons.endings.in_turn": "durak_widget.lessons.puzzle_practice",
    "durak_widget.lessons.endings.mining": "durak_widget.lessons.endgame_puzzle",
    "durak_widget.lessons.endings.practice": "durak_widget.lessons.puzzle_practice",
    "durak_widget.lessons.endings.puzzle": "durak_widget.lessons.endgame_puzzle",
    "durak_widget.lessons.endings.shelf": "durak_widget.lessons.endgame_puzzle",
    "durak_widget.lessons.kit.arguments": "durak_widget.exercises.answer_parsing",
    "durak_widget.lessons.kit.beside": "durak_widget.exercises.exercise",
    "durak_widget.lessons.kit.by_hand": "durak_widget.exercises.paper_form",
    "durak_widget.lessons.kit.display": "durak_widget.exercises.notebook_display",
    "durak_widget.lessons.kit.exercise": "durak_widget.exercises.exercise",
    "durak_widget.lessons.kit.exercise_page": "durak_widget.exercises.exercise_widget",
    "durak_widget.lessons.kit.fields": "durak_widget.exercises.answer_form",
    "durak_widget.lessons.kit.on_paper": "durak_widget.exercises.answer_form",
    "durak_widget.lessons.kit.places": "durak_widget.exercises.node_and_cell_lookup",
    "durak_widget.lessons.kit.progress": "durak_widget.exercises.student_progress",
    "durak_widget.lessons.kit.reasons": "durak_widget.exercises.choice_exercise",
    "durak_widget.lessons.kit.series": "durak_widget.exercises.student_progress",
    "durak_widget.lessons.kit.settable": "durak_widget.exercises.overridable_property",
    "durak_widget.lessons.kit.stopped": "durak_widget.exercises.base_exercise",
    "durak_widget.lessons.kit.task": "durak_widget.exercises.base_exercise",
    "durak_widget.lessons.numbers.hidden": "durak_widget.exercises.card_probabilities",
    "durak_widget.lessons.numbers.number": "durak_widget.exercises.number_exercise",
    "durak_widget.lessons.numbers.odds": "durak_widget.exercises.card_probabilities",
    "durak_widget.lessons.numbers.typed": "durak_widget.exercises.number_exercise",
    "durak_widget.lessons.picking.drill": "durak_widget.lessons.drill",
    "durak_widget.lessons.picking.picks": "durak_widget.exercises.choice_exercise",
    "durak_widget.lessons.picking.predict": "durak_widget.exercises.prediction_exercise",
    "durak_widget.lessons.picking.questions": "durak_widget.lessons.drill",
    "durak_widget.lessons.picking.throwing": "durak_widget.exercises.prediction_exercise",
    "durak_widget.lessons.picking.what_if": "durak_widget.exercises.prediction_exercise",
    "durak_widget.lessons.positions.ahead": "durak_widget.exercises.goals",
    "durak_widget.lessons.positions.goals": "durak_widget.exercises.goals",
    "durak_widget.lessons.positions.position": "durak_widget.exercises.position_exercise",
    "durak_widget.lessons.strategies.answering": "durak_widget.exercises.strategy_input",
    "durak_widget.lessons.strategies.bot_task": "durak_widget.exercises.bot_exercise",
    "durak_widget.lessons.strategies.habits": "durak_widget.exercises.habit_bot",
    "durak_widget.lessons.strategies.losing": "durak_widget.exercises.strategy_loss",
    "durak_widget.lessons.strategies.paired": "durak_widget.exercises.duplicate_bot_games",
    "durak_widget.lessons.strategies.programs": "durak_widget.exercises.program_source",
    "durak_widget.lessons.strategies.shares": "durak_widget.exercises.strategy_exercise",
    "durak_widget.lessons.strategies.strategies": "durak_widget.exercises.strategy_exercise",
    "durak_widget.masks": "durak_widget.cards",
    "durak_widget.review.CourseOfChances": "durak_widget.review.BoutChances",
    "durak_widget.review.Fortune": "durak_widget.review.ResultBreakdown",
    "durak_widget.review.KINDS": "durak_widget.review.MISTAKE_KINDS",
    "durak_widget.review.Reviewing": "durak_widget.review.ReviewSettings",
    "durak_widget.review.Turning": "durak_widget.review.TurningPoint",
    "durak_widget.review.effort": "durak_widget.review.decision_evaluation",
    "durak_widget.review.fortune": "durak_widget.review.luck_and_skill",
    "durak_widget.review.kinds": "durak_widget.review.turning_points",
    "durak_widget.review.lately": "durak_widget.review.decision_evaluation",
    "durak_widget.review.of": "durak_widget.review.analyze",
    "durak_widget.review.panel": "durak_widget.review.review_report",
    "durak_widget.review.reviewed": "durak_widget.review.analyze_in_steps",
    "durak_widget.review.reviewing": "durak_widget.review.game_review",
    "durak_widget.review.sheet": "durak_widget.review.review_report",
    "durak_widget.review.skill": "durak_widget.review.luck_and_skill",
    "durak_widget.review.turning": "durak_widget.review.turning_points",
    "durak_widget.review.weighing": "durak_widget.review.decision_evaluation",
    "durak_widget.rules.beating": "durak_widget.rules.deck_and_beating",
    "durak_widget.rules.book": "durak_widget.rules.ruleset",
    "durak_widget.rules.dealing": "durak_widget.rules.deal_and_trump",
    "durak_widget.rules.declaring": "durak_widget.rules.deck_and_beating",
    "durak_widget.rules.english": "durak_widget.rules.rules_form",
    "durak_widget.rules.exchange": "durak_widget.rules.deal_and_trump",
    "durak_widget.rules.form": "durak_widget.rules.rules_form",
    "durak_widget.rules.form.PLAIN": "durak_widget.rules.ruleset.DEFAULTS",
    "durak_widget.rules.form.nearest_preset": "durak_widget.rules.ruleset.find_nearest_preset",
    "durak_widget.rules.form.rules_title": "durak_widget.rules.ruleset.format_rules_title",
    "durak_widget.rules.limit": "durak_widget.rules.attack",
    "durak_widget.rules.opening": "durak_widget.rules.attack",
    "durak_widget.rules.pack": "durak_widget.rules.deck_and_beating",
    "durak_widget.rules.throwing": "durak_widget.rules.attack",
    "durak_widget.rules.transfer": "durak_widget.rules.attack",
    "durak_widget.rules.trump": "durak_widget.rules.deal_and_trump",
    "durak_widget.rules.variants": "durak_widget.rules.preset_catalogue",
    "durak_widget.rules.variants.preset_title": "durak_widget.rules.ruleset.format_preset_title",
    "durak_widget.theory": "durak_widget.analysis",
    "durak_widget.theory.Backward": "durak_widget.gametheory.BackwardInductionResult",
    "durak_widget.theory.CFR": "durak_widget.gametheory.CFR",
    "durak_widget.theory.Certificate": "durak_widget.gametheory.Certificate",
    "durak_widget.theory.CertificateError": "durak_widget.gametheory.CertificateError",
    "durak_widget.theory.Draw": "durak_widget.gametheory.ChanceNode",
    "durak_widget.theory.EfgError": "durak_widget.gametheory.EfgError",
    "durak_widget.theory.End": "durak_widget.gametheory.TerminalNode",
    "durak_widget.theory.Equilibria": "durak_widget.gametheory.Equilibria",
    "durak_widget.theory.Equilibrium": "durak_widget.gametheory.Equilibrium",
    "durak_widget.theory.GameAnswer": "durak_widget.gametheory.GameAnswer",
    "durak_widget.theory.InfoSet": "durak_widget.gametheory.InfoSet",
    "durak_widget.theory.Matrix": "durak_widget.board.Matrix",
    "durak_widget.theory.MatrixSketch": "durak_widget.editor.MatrixSketch",
    "durak_widget.theory.Minimax": "durak_widget.gametheory.Minimax",
    "durak_widget.theory.MissingError": "durak_widget.gametheory.MissingPackageError",
    "durak_widget.theory.NfgError": "durak_widget.gametheory.NfgError",
    "durak_widget.theory.OutcomeSampling": "durak_widget.gametheory.OutcomeSampling",
    "durak_widget.theory.Response": "durak_widget.gametheory.BestResponse",
    "durak_widget.theory.Sketch": "durak_widget.editor.Sketch",
    "durak_widget.theory.Solution": "durak_widget.gametheory.Solution",
    "durak_widget.theory.Standing": "durak_widget.gametheory.InfosetValues",
    "durak_widget.theory.Strategy": "durak_widget.gametheory.Strategy",
    "durak_widget.theory.StrategyError": "durak_widget.gametheory.StrategyError",
    "durak_widget.theory.Tree": "durak_widget.board.Tree",
    "durak_widget.theory.TreeError": "durak_widget.gametheory.TreeError",
    "durak_widget.theory.Turn": "durak_widget.gametheory.DecisionNode",
    "durak_widget.theory.Undominated": "durak_widget.gametheory.IteratedElimination",
    "durak_widget.theory.backward_induction": "durak_widget.gametheory.backward_induction",
    "durak_widget.theory.bayes": "durak_widget.gametheory.bayesian_beliefs",
    "durak_widget.theory.belief_bounds": "durak_widget.gametheory.belief_bounds",
    "durak_widget.theory.best_response": "durak_widget.gametheory.best_response",
    "durak_widget.theory.bridges.actions": "durak_widget.analysis.rl_encoding",
    "durak_widget.theory.bridges.encoding": "durak_widget.analysis.rl_encoding",
    "durak_widget.theory.bridges.openspiel": "durak_widget.analysis.openspiel_bridge",
    "durak_widget.theory.bridges.pettingzoo": "durak_widget.analysis.pettingzoo_env",
    "durak_widget.theory.bridges.spiel": "durak_widget.analysis.openspiel_bridge",
    "durak_widget.theory.certify": "durak_widget.gametheory.certify",
    "durak_widget.theory.check": "durak_widget.gametheory.check_certificate",
    "durak_widget.theory.dominated_plans": "durak_widget.gametheory.find_dominated_strategies",
    "durak_widget.theory.endings.by_kernel": "durak_widget.analysis.acyclic_endgame_solver",
    "durak_widget.theory.endings.duel": "durak_widget.analysis.acyclic_endgame_solver",
    "durak_widget.theory.endings.endgame": "durak_widget.analysis.endgame",
    "durak_widget.theory.endings.opened": "durak_widget.analysis.double_dummy_solver",
    "durak_widget.theory.endings.proof": "durak_widget.analysis.endgame",
    "durak_widget.theory.endings.repeats": "durak_widget.analysis.position_repetition",
    "durak_widget.theory.endings.retold": "durak_widget.analysis.endgame",
    "durak_widget.theory.endings.wandering": "durak_widget.analysis.cyclic_endgame_solver",
    "durak_widget.theory.equilibria": "durak_widget.gametheory.equilibria",
    "durak_widget.theory.exploitability": "durak_widget.gametheory.exploitability",
    "durak_widget.theory.forgets": "durak_widget.gametheory.describe_imperfect_recall",
    "durak_widget.theory.from_efg": "durak_widget.gametheory.from_efg",
    "durak_widget.theory.from_nfg": "durak_widget.gametheory.from_nfg",
    "durak_widget.theory.from_pygambit": "durak_widget.gametheory.from_pygambit",
    "durak_widget.theory.grow": "durak_widget.gametheory.build_tree",
    "durak_widget.theory.hidden.ahead": "durak_widget.analysis.information_set_values",
    "durak_widget.theory.hidden.bout": "durak_widget.analysis.hand_inference",
    "durak_widget.theory.hidden.course": "durak_widget.analysis.hand_inference",
    "durak_widget.theory.hidden.drawing": "durak_widget.analysis.world_sampling",
    "durak_widget.theory.hidden.face_up": "durak_widget.analysis.worlds_with_open_hands",
    "durak_widget.theory.hidden.grid": "durak_widget.analysis.card_probability_chart",
    "durak_widget.theory.hidden.laying": "durak_widget.analysis.world_sampling",
    "durak_widget.theory.hidden.layouts": "durak_widget.analysis.deal_counting",
    "durak_widget.theory.hidden.outright": "durak_widget.analysis.exhaustive_world_search",
    "durak_widget.theory.hidden.playouts": "durak_widget.analysis.monte_carlo_playouts",
    "durak_widget.theory.hidden.possible": "durak_widget.analysis.possible_worlds",
    "durak_widget.theory.hidden.rewind": "durak_widget.analysis.world_history_search",
    "durak_widget.theory.hidden.tried": "durak_widget.analysis.possible_worlds",
    "durak_widget.theory.hidden.world": "durak_widget.analysis.possible_worlds",
    "durak_widget.theory.intuitively_refuted": "durak_widget.gametheory.find_intuitive_refutations",
    "durak_widget.theory.judging.bot_strategies": "durak_widget.analysis.bot_strategy_conversion",
    "durak_widget.theory.judging.judging": "durak_widget.analysis.strategy_evaluation",
    "durak_widget.theory.judging.secrecy": "durak_widget.analysis.value_of_information",
    "durak_widget.theory.matrix": "durak_widget.gametheory.matrix",
    "durak_widget.theory.minimax": "durak_widget.gametheory.minimax",
    "durak_widget.theory.nash_conv": "durak_widget.gametheory.nash_conv",
    "durak_widget.theory.picture": "durak_widget.board.save_picture",
    "durak_widget.theory.pure_ones": "durak_widget.gametheory.find_pure_equilibria",
    "durak_widget.theory.sequential": "durak_widget.gametheory.verify_sequential_equilibrium",
    "durak_widget.theory.solve": "durak_widget.gametheory.solve",
    "durak_widget.theory.subgame_perfect": "durak_widget.gametheory.find_subgame_perfect_equilibria",
    "durak_widget.theory.tabular": "durak_widget.board.tabular",
    "durak_widget.theory.textbook": "durak_widget.gametheory.textbook",
    "durak_widget.theory.tikz": "durak_widget.board.tikz",
    "durak_widget.theory.to_efg": "durak_widget.gametheory.to_efg",
    "durak_widget.theory.to_nfg": "durak_widget.gametheory.to_nfg",
    "durak_widget.theory.to_pygambit": "durak_widget.gametheory.to_pygambit",
    "durak_widget.theory.tree_of_nfg": "durak_widget.gametheory.tree_from_nfg",
    "durak_widget.theory.trees.building": "durak_widget.analysis.durak_tree",
    "durak_widget.theory.trees.coins": "durak_widget.analysis.payoffs_in_coins",
    "durak_widget.theory.trees.deals": "durak_widget.analysis.deal_enumeration",
    "durak_widget.theory.trees.moments": "durak_widget.analysis.game_at_node",
    "durak_widget.theory.trees.played": "durak_widget.analysis.deal_posterior",
    "durak_widget.theory.trees.recall": "durak_widget.analysis.information_state_strings",
    "durak_widget.theory.trees.sizes": "durak_widget.analysis.durak_tree",
    "durak_widget.theory.trees.thinkable": "durak_widget.analysis.trees_with_illegal_moves",
    "durak_widget.theory.trees.unbuilt": "durak_widget.analysis.durak_tree",
    "durak_widget.theory.undominated_plans": "durak_widget.gametheory.eliminate_dominated_strategies",
    "durak_widget.theory.value": "durak_widget.gametheory.value",
    "durak_widget.theory.values": "durak_widget.gametheory.infoset_values",
    "durak_widget.theory.weakly_perfect": "durak_widget.gametheory.evaluate_weak_perfect_bayesian",
    "durak_widget.words": "durak_widget.i18n",
    "durak_widget.words._draft": "durak_widget.i18n._translation_draft",
    "durak_widget.words._language": "durak_widget.i18n._translation",
    "durak_widget.words._voice": "durak_widget.i18n._translation",
    "durak_widget.words.en": "durak_widget.i18n.en",
    "durak_widget.words.lt": "durak_widget.i18n.lt",
    "durak_widget.words.ru": "durak_widget.i18n.ru",
}
"""The present name for each former name of a module, or of something in a module (written `module.name`).

Write a row for each former module that had names, packages too. A row for a name wins over the row for its module.
"""
_FORMER_PUBLIC_NAMES: Final = ("Played", "View", "games", "kernel", "theory")
"""The names that `from durak_widget import *` imported in earlier versions, but that have changed since."""
_WIDGET_PACKAGES: Final = ("durak_widget.board", "durak_widget.editor")
"""The packages whose names `import *` has never imported, because they need the package anywidget."""

_ROOT: Final = Path(__file__).parents[2]
_RENAMED_FILE: Final = Path(__file__).with_name("former_names.txt")
"""The path of a file with a line for each name that changed inside its module, such as `module.Class.former
present`."""
_installed_names: dict[str, str] = {}
"""For each former name that works in this process, the present name."""
_forwarding_modules: set[str] = set()
"""The modules that must look up former names: former modules, and modules from which a name moved to another module."""
_former_attributes: dict[str, dict[str, dict[str, str]]] = {}
"""For each class in a module that is not loaded yet: the former and the present names of its attributes."""


def read_renamed_names() -> dict[str, str]:
    """Return the present name for each former name in the file `former_names.txt`."""
    renamed = {}
    for line in _RENAMED_FILE.read_text(encoding="utf-8").splitlines():
        former, today = line.split(" ")
        owner = f"durak_widget.{former}".rpartition(".")[0]
        renamed[f"durak_widget.{former}"] = f"{owner}.{today}"
    return renamed


def install(names: Mapping[str, str], renamed: Mapping[str, str] = MappingProxyType({})) -> None:
    """Make former names of modules, functions and classes work in this process.

    `names` has former modules, and names that moved to another module; `renamed` has names and attributes that
    changed in their place. A module that exists today is never replaced.
    """
    names = {**_take_attributes(renamed), **names}
    _installed_names.update(names)
    _forwarding_modules.update(former for former, today in names.items() if _module_exists(today))
    for former in names:
        _forwarding_modules.update(accumulate(former.split(".")[:-1], "{}.{}".format))
    for name in _forwarding_modules - sys.modules.keys():
        if not _module_exists(name):
            module = sys.modules[name] = _ForwardingModule(name)
            module.__path__ = []
    top = vars(sys.modules["durak_widget"])
    public = top["__all__"]
    top["__all__"] = [
        *public,
        *(name for name in _FORMER_PUBLIC_NAMES if f"durak_widget.{name}" in _installed_names and name not in public),
    ]
    _extend_loaded()


def _take_attributes(renamed: Mapping[str, str]) -> dict[str, str]:
    """Store the renamed attributes of classes for later, and return the other renamed names."""
    other_names = {}
    for former, today in renamed.items():
        owner, _, name = former.rpartition(".")
        if owner == "durak_widget" or _module_exists(owner):
            other_names[former] = today
        else:
            module, _, class_name = owner.rpartition(".")
            _former_attributes.setdefault(module, {}).setdefault(class_name, {})[name] = today.rpartition(".")[2]
            _forwarding_modules.update(accumulate(module.split("."), "{}.{}".format))
    return other_names


class _FormerAttribute:
    """A descriptor under an attribute's former name, which returns the present attribute."""

    def __init__(self, today: str) -> None:
        self._today = today

    def __get__(self, instance: object, owner: type) -> object:
        return getattr(owner if instance is None else instance, self._today)


class _ForwardingModule(ModuleType):
    """A module in which the former names of its contents work, too.

    It looks up in the table what it does not have.
    """

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever had that name
        """Return the attribute that has this name now, or had it formerly."""
        full = f"{self.__name__}.{name}"
        if full in _installed_names and full not in _forwarding_modules:
            module, _, public = _installed_names[full].rpartition(".")
            return getattr(import_module(module), public)
        if name.startswith("__") and name != "__all__":
            return super().__getattribute__(name)  # This raises the usual AttributeError
        today = import_module(_installed_names[self.__name__]) if self.__name__ in _installed_names else None
        if name == "__all__" and today:
            return [*_list_public_names(today), *self._list_moved_names()]
        if today and (name in getattr(today, "__all__", ()) or f"{today.__name__}.{name}" in _installed_names):
            # Look up attributes before modules, because a package may have a function with the same name as a module
            return getattr(today, name)
        if full in _forwarding_modules:
            return import_module(full)
        return getattr(today, name) if today and hasattr(today, name) else super().__getattribute__(name)

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute; if it is a submodule, make the submodule's former names work."""
        super().__setattr__(name, value)
        if f"{self.__name__}.{name}" in _forwarding_modules:
            _extend_loaded()

    def _list_moved_names(self) -> list[str]:
        """Return this module's former public names that belong to a different module now."""
        moved = []
        for former in _installed_names.keys() - _forwarding_modules:
            module_name, _, name = former.rpartition(".")
            if module_name == self.__name__:
                today, _, public = _installed_names[former].rpartition(".")
                if today not in _WIDGET_PACKAGES and public in _list_public_names(import_module(today)):
                    moved.append(name)
        return moved


def _extend_loaded() -> None:
    """Make former names work in all modules that Python has already loaded."""
    for name in _forwarding_modules & sys.modules.keys():
        module = sys.modules[name]
        module.__class__ = _ForwardingModule
        if getattr(module.__spec__, "_initializing", False):  # Python is still running the module, so some classes are missing
            continue
        for class_name, attributes in _former_attributes.pop(name, {}).items():
            loaded_class = getattr(module, class_name)
            for former, today in attributes.items():
                if not hasattr(loaded_class, former):
                    setattr(loaded_class, former, _FormerAttribute(today))


def _list_public_names(module: ModuleType) -> list[str]:
    """Return the names that `from module import *` imports."""
    return list(getattr(module, "__all__", ())) or [name for name in vars(module) if not name.startswith("_")]


def _module_exists(name: str) -> bool:
    """Return whether this package has a module of this name, without importing it."""
    package, _, last = name.rpartition(".")
    files = _list_files(package)
    return f"{last}.py" in files or (last in files and "__init__.py" in _list_files(name))


@cache
def _list_files(package: str) -> frozenset[str]:
    """Return the names of all files in a package; this is faster than testing each file."""
    above, _, last = package.rpartition(".")
    if above and last not in _list_files(above):
        return frozenset()
    return frozenset(os.listdir(_ROOT / package.replace(".", "/")))  # noqa: PTH208 - their names are enough
