import { SHIPPED_APPROVALS } from '../../domain/judge/approval-type.ts';
import { type Language, schemaLine } from './project-texts.ts';

/** The files in the folder `config` of a new project, every key explained. */
export function configTexts(language: Language): Readonly<Record<string, string>> {
  return {
    'config/approvals.yaml': `${schemaLine('approvals')}${APPROVALS[language]}`,
    'config/escalation.yaml': `${schemaLine('escalation')}${ESCALATION[language]}`,
  };
}

const TYPES = SHIPPED_APPROVALS.map((type) => `  ${type}: { enabled: true }\n`).join('');

const APPROVALS: Readonly<Record<Language, string>> = {
  en: `# How approvals are asked for. All keys are optional; lines like "# key: value" show what could be written.
# Every key with its type: helix schema approvals

# What holds for all types; times in seconds, the budget in US dollars for one approval.
# defaults:
#   model: opus
#   timeout: 300
#   retry_on_failure: true
#   required_confidence: 0.8
#   on_low_confidence: human
#   agent: default
#   fallback_model: sonnet
#   budget: 0.5

# By type, with the same keys, and the checks to ask for where it should not be all of them: checks: [security, tests]
approvals:
${TYPES}`,
  de: `# Wie Freigaben eingeholt werden. Alle Schlüssel sind freiwillig; Zeilen wie "# key: value" zeigen, was möglich ist.
# Jeder Schlüssel mit seinem Typ: helix schema approvals

# Was für alle Arten gilt; Zeiten in Sekunden, das Budget in US-Dollar für eine Freigabe.
# defaults:
#   model: opus
#   timeout: 300
#   retry_on_failure: true
#   required_confidence: 0.8
#   on_low_confidence: human
#   agent: default
#   fallback_model: sonnet
#   budget: 0.5

# Je Art, mit denselben Schlüsseln und den gewünschten Prüfungen, wo es nicht alle sein sollen: checks: [security, tests]
approvals:
${TYPES}`,
};

const ESCALATION: Readonly<Record<Language, string>> = {
  en: `# What happens when a gate keeps failing: attempts, then a consultant who changes something and further attempts, then a human.
# What is not written here is as HELIX ships it; lines like "# key: value" show what could be written, with what it ships.
# Every key with its type: helix schema escalation
escalation:
  # Attempts before the consultant, where no gate, phase or plan says max_retries.
  max_retries_per_level: 3
  # Minutes an attempt may take where its phase has no timeout.
  # attempt_timeout: 60
  levels:
    stufe_1:
      name: Consultant
      # Attempts with what it changed, where they are not to be as many as before it; 0 means that there is no consultant.
      # max_attempts: 3
      # What it may do by itself; what is not listed is left to the human.
      # actions:
      #   - type: model_switch
      #     models: [opus, sonnet]
      #   - type: plan_revert
      #   - type: hints
      #   - type: spec_updates
      #   - type: skills
    stufe_2:
      name: Human
      # After so many hours on_timeout is done: retry, abort, or wait, which means that there is no deadline.
      # wait_timeout_hours: 24
      on_timeout: wait
      # Who is told, by the names under notify in helix.yaml; without a list all of them.
      # actions:
      #   - type: notify
      #     channels: [team]

# Errors that lead to a level at once (stufe_1, stufe_2) or, with action: abort, end the run: RE2, sought in what gates report.
# error_patterns:
#   - pattern: 'permission denied|no space left on device'
#     level: stufe_2
`,
  de: `# Was geschieht, wenn ein Gate immer wieder scheitert: Versuche, dann ein Consultant, der etwas ändert, und weitere Versuche,
# dann ein Mensch. Was hier nicht steht, ist so, wie HELIX es mitbringt; Zeilen wie "# key: value" zeigen, was möglich ist.
# Jeder Schlüssel mit seinem Typ: helix schema escalation
escalation:
  # Versuche vor dem Consultant, wo weder Gate noch Phase noch Plan max_retries nennt.
  max_retries_per_level: 3
  # Minuten, die ein Versuch dauern darf, wenn seine Phase kein timeout hat.
  # attempt_timeout: 60
  levels:
    stufe_1:
      name: Consultant
      # Versuche mit dem, was er geändert hat, wenn es nicht so viele sein sollen wie davor; 0 heißt, dass es keinen Consultant gibt.
      # max_attempts: 3
      # Was er selbst darf; was nicht dasteht, bleibt dem Menschen überlassen.
      # actions:
      #   - type: model_switch
      #     models: [opus, sonnet]
      #   - type: plan_revert
      #   - type: hints
      #   - type: spec_updates
      #   - type: skills
    stufe_2:
      name: Mensch
      # Nach so vielen Stunden geschieht on_timeout: retry, abort oder wait, das heißt, es gibt keine Frist.
      # wait_timeout_hours: 24
      on_timeout: wait
      # Wer es erfährt, mit den Namen unter notify in helix.yaml; ohne Liste alle.
      # actions:
      #   - type: notify
      #     channels: [team]

# Fehler, die sofort zu einer Stufe führen (stufe_1, stufe_2) oder mit action: abort den Lauf beenden: RE2, gesucht in dem,
# was Gates melden.
# error_patterns:
#   - pattern: 'permission denied|no space left on device'
#     level: stufe_2
`,
};
