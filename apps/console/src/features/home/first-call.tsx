import { CodeExample } from '../../shared/code-example/code-example.tsx'
import { ButtonLink } from '../../shared/page/plain-button.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { useServerAddress } from '../../shared/session/status.ts'
import { exampleOf, KEY_IN_EXAMPLES, tools } from './examples.ts'
import styles from './first-call.module.css'
import { homeMessages } from './i18n.ts'
import { useExampleModel } from './use-example-model.ts'

/** A first request to copy, with the address of this site. */
export function FirstCall() {
  const t = homeMessages.use()
  const address = useServerAddress()
  const model = useExampleModel()
  const examples = tools.map((tool) => ({ ...tool, text: exampleOf(tool.id, { address, model }) }))
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h2>{t('call.title')}</h2>
        <p>{t('call.text', { key: KEY_IN_EXAMPLES })}</p>
      </div>
      <CodeExample examples={examples} />
      <div className="wrap-8">
        <ButtonLink to={paths.tokens}>{t('call.token')}</ButtonLink>
        <ButtonLink to={paths.connect}>{t('call.connect')}</ButtonLink>
      </div>
    </section>
  )
}
