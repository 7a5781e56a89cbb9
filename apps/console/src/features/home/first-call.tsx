import { useState } from 'react'
import { CopyButton } from '../../shared/copy/copy-button.tsx'
import { ButtonLink } from '../../shared/page/plain-button.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { useStatus } from '../../shared/session/status.ts'
import { exampleOf, KEY_IN_EXAMPLES, type Tool, tools } from './examples.ts'
import styles from './first-call.module.css'
import { homeMessages } from './i18n.ts'
import { useExampleModel } from './use-example-model.ts'

/** A call to copy, with the address of this very site. */
export function FirstCall() {
  const t = homeMessages.use()
  const [tool, setTool] = useState<Tool>('curl')
  const { server_address: configured } = useStatus()
  const model = useExampleModel()
  const address = configured === '' ? globalThis.location.origin : configured.replace(/\/+$/, '')
  const example = exampleOf(tool, { address, model })
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h2>{t('call.title')}</h2>
        <p>{t('call.text', { key: KEY_IN_EXAMPLES })}</p>
      </div>
      <figure className={styles.frame}>
        <figcaption className={styles.tools}>
          {tools.map(({ id, label }) => (
            <button key={id} type="button" aria-pressed={id === tool} onClick={() => setTool(id)}>
              {label}
            </button>
          ))}
          <span className={styles.copy}>
            <CopyButton text={example} />
          </span>
        </figcaption>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls on a phone, so the keys must reach it */}
        <pre className={styles.code} tabIndex={0}>
          {example}
        </pre>
      </figure>
      <div>
        <ButtonLink to={paths.tokens}>{t('call.token')}</ButtonLink>
      </div>
    </section>
  )
}
