import type { UsageMode } from './api.ts'
import { setupMessages } from './i18n.ts'
import styles from './usage-choice.module.css'

interface UsageChoiceProps {
  /** Passed in by the surrounding form. */
  readonly value?: UsageMode
  readonly onChange?: (mode: UsageMode) => void
}

const modes: readonly UsageMode[] = ['external', 'self', 'demo']

export function UsageChoice({ value, onChange }: UsageChoiceProps) {
  const t = setupMessages.use()
  return (
    <div className={styles.choices} role="radiogroup" aria-label={t('usage.title')}>
      {modes.map((mode) => (
        <label key={mode} className={styles.choice}>
          <input
            type="radio"
            className="tick"
            name="usage-mode"
            checked={value === mode}
            aria-label={t(`usage.${mode}`)}
            onChange={() => onChange?.(mode)}
          />
          <span>
            <strong>{t(`usage.${mode}`)}</strong>
            <span className={styles.text}>{t(`usage.${mode}Text`)}</span>
          </span>
        </label>
      ))}
    </div>
  )
}
