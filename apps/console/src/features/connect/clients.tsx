import { clientSetups } from '@tollgate/contract/client-setup/index'
import type { ClientId, ClientSetup } from '@tollgate/contract/client-setup/setup'
import { SelectOnDemand } from '../../shared/on-demand/select-on-demand.tsx'
import { useIsPhone } from '../../shared/page/use-is-phone.ts'
import { connectMessages } from './i18n.ts'
import styles from './page.module.css'

const KINDS = ['agent', 'app', 'library'] as const satisfies readonly ClientSetup['kind'][]

interface ClientsProps {
  readonly chosen: ClientId
  readonly onChoose: (id: ClientId) => void
}

/** The clients by kind: a list beside the settings, on a phone a select above them. */
export function Clients({ chosen, onChoose }: ClientsProps) {
  const t = connectMessages.use()
  const isPhone = useIsPhone()
  if (isPhone)
    return (
      <SelectOnDemand
        label={t('client')}
        value={chosen}
        options={clientSetups.map(({ id, label }) => ({ value: id, label }))}
        onChange={onChoose}
      />
    )
  return (
    <nav className={styles.clients} aria-label={t('client')}>
      {KINDS.map((kind) => (
        <div key={kind} className={styles.kind}>
          <h2 className={styles.kindTitle}>{t(`kind.${kind}`)}</h2>
          {clientSetups
            .filter((setup) => setup.kind === kind)
            .map(({ id, label }) => (
              <button
                key={id}
                type="button"
                className={styles.client}
                aria-current={id === chosen}
                onClick={() => onChoose(id)}
              >
                {label}
              </button>
            ))}
        </div>
      ))}
    </nav>
  )
}
