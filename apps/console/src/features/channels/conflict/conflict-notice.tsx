import { Alert, Button } from 'antd'
import styles from '../channels.module.css'
import type { ChannelFormValue } from '../form-value.ts'
import { channelMessages } from '../i18n/index.ts'
import type { Conflict, FieldName } from './changed-fields.ts'

interface ConflictNoticeProps {
  readonly conflict: Conflict
  /** The value that the form was loaded with. */
  readonly loaded: ChannelFormValue
  /** Keeps both edits, ours where both edited the same field. */
  readonly onMerge: () => void
  readonly onTakeTheirs: () => void
}

/** Shows what another operator saved in the meantime, and asks what to do with the reader's own edits. */
export function ConflictNotice({ conflict, loaded, onMerge, onTakeTheirs }: ConflictNoticeProps) {
  const t = channelMessages.use()
  const names = Object.keys(conflict.theirs).filter(isLabelled)
  return (
    <Alert
      type="warning"
      className={styles.note}
      title={t('conflict.title')}
      description={
        <>
          <p>{conflict.contested.length > 0 ? t('conflict.contested') : t('conflict.apart')}</p>
          <ul className={styles.changes}>
            {names.map((name) => (
              <li key={name}>
                <strong>{t(labels[name])}</strong>: <del>{shown(loaded[name])}</del> →{' '}
                <ins>{shown(conflict.theirs[name])}</ins>
                {conflict.contested.includes(name) && ` (${t('conflict.yours')})`}
              </li>
            ))}
          </ul>
          <div className={styles.answers}>
            <Button size="small" type="primary" onClick={onMerge}>
              {t('conflict.merge')}
            </Button>
            <Button size="small" onClick={onTakeTheirs}>
              {t('conflict.take')}
            </Button>
          </div>
        </>
      }
    />
  )
}

const labels = {
  type: 'column.type',
  name: 'word.name',
  baseUrl: 'form.baseUrl',
  other: 'form.other',
  organization: 'form.organization',
  models: 'word.models',
  groups: 'word.groups',
  modelMapping: 'form.mapping',
  modelPrefix: 'form.prefix',
  testModel: 'form.testModel',
  tag: 'word.tag',
  priority: 'column.priority',
  weight: 'column.weight',
  isAutoBan: 'form.autoBan',
  statusMapping: 'form.statusMapping',
  parameterOverride: 'form.override',
  headerOverride: 'form.headers',
  setting: 'form.setting',
} as const satisfies Partial<Record<FieldName, string>>

function isLabelled(name: string): name is keyof typeof labels {
  return name in labels
}

function shown(value: ChannelFormValue[FieldName] | undefined): string {
  if (typeof value === 'object') return value.join(', ') || '–'
  return value === undefined || value === '' ? '–' : String(value)
}
