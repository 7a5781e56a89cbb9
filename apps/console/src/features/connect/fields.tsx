import type { SetupBlock } from '@tollgate/contract/client-setup/setup'
import { CopyButton } from '../../shared/copy/copy-button.tsx'
import styles from './page.module.css'

interface FieldsProps {
  readonly block: SetupBlock & { readonly type: 'fields' }
  readonly onCopy: (value: string) => void
}

/** The fields of a settings window, each with its own copy button. */
export function Fields({ block, onCopy }: FieldsProps) {
  return (
    <div className={styles.fields}>
      <p className={styles.place}>{block.place}</p>
      <dl>
        {block.fields.map(({ name, value }) => (
          <div key={name} className={styles.field}>
            <dt>{name}</dt>
            <dd>
              <span className="code">{value}</span>
              <CopyButton text={value} onCopy={() => onCopy(value)} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
