import type { AuditRow } from '@tollgate/contract/audit'
import { type ChangedField, changedFields } from './changed-fields.ts'
import styles from './audit.module.css'
import { auditMessages } from './i18n.ts'
import { useFieldWords } from './fields/use-field-words.ts'
import { useValueWords } from './use-value-words.ts'

interface ChangesProps {
  readonly row: Pick<AuditRow, 'entity' | 'before' | 'after'>
}

/** Every changed field with its full old and new value, one line per field. */
export function Changes({ row }: ChangesProps) {
  const t = auditMessages.use()
  const wordOf = useValueWords(row.entity)
  const nameOf = useFieldWords()
  const fields = changedFields(row.before, row.after)
  if (fields.length === 0) return <p className="muted">{t('noDetails')}</p>
  return (
    <div className={styles.changes}>
      <div className={styles.head} aria-hidden="true">
        <span>{t('field')}</span>
        <span>{t('before')}</span>
        <span>{t('after')}</span>
      </div>
      {fields.map((field) => (
        <dl key={field.name} className={styles.field}>
          <dt title={field.name}>{field.name === '' ? t('word.value') : nameOf(field.name)}</dt>
          <Value label={t('before')} text={wordOf(field.name, field.before)} />
          <Value label={t('after')} text={wordOf(field.name, field.after)} />
        </dl>
      ))}
    </div>
  )
}

function Value({ label, text }: { readonly label: string; readonly text: string | undefined }) {
  const t = auditMessages.use()
  return (
    <dd aria-label={label}>
      {text === undefined && <span className="muted">–</span>}
      {text === '' && <span className="muted">{t('word.empty')}</span>}
      {text !== undefined && text !== '' && <span className={styles.value}>{text}</span>}
    </dd>
  )
}

const SHOWN_MAX = 2
const CHARACTERS_MAX = 28

/** The first changed fields, cut to one line. */
export function ChangeSummary({ row }: ChangesProps) {
  const t = auditMessages.use()
  const wordOf = useValueWords(row.entity)
  const nameOf = useFieldWords()
  const fields = changedFields(row.before, row.after).map(({ name, before, after }) => ({
    name,
    before: wordOf(name, before),
    after: wordOf(name, after),
  }))
  if (fields.length === 0) return <span className="muted">–</span>
  const rest = fields.length - SHOWN_MAX
  return (
    <span>
      {fields.slice(0, SHOWN_MAX).map((field, index) => (
        <span key={field.name}>
          {index > 0 && ', '}
          {field.name !== '' && <span className="muted">{nameOf(field.name)} </span>}
          {brief(field, t('word.empty'))}
        </span>
      ))}
      {rest > 0 && <span className="muted"> +{rest}</span>}
    </span>
  )
}

function brief({ before, after }: ChangedField, empty: string): string {
  const from = before === undefined ? '' : `${cut(before, empty)} → `
  return `${from}${after === undefined ? '–' : cut(after, empty)}`
}

function cut(text: string, empty: string): string {
  const line = text.replace(/\s+/g, ' ')
  if (line === '') return empty
  return line.length <= CHARACTERS_MAX ? line : `${line.slice(0, CHARACTERS_MAX)}…`
}
