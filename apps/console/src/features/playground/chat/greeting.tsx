import { playgroundMessages } from '../i18n.ts'
import styles from './greeting.module.css'

const examples = ['example.explain', 'example.code', 'example.table'] as const

/** Shown before the first question: a short introduction and three sample questions. */
export function Greeting({ onAsk }: { readonly onAsk: (text: string) => void }) {
  const t = playgroundMessages.use()
  return (
    <div className={styles.greeting}>
      <h2 className={styles.title}>{t('greeting')}</h2>
      <p className={styles.text}>{t('greeting.text')}</p>
      <ul className={styles.examples}>
        {examples.map((key) => (
          <li key={key}>
            <button type="button" onClick={() => onAsk(t(key))}>
              {t(key)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
