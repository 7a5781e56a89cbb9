import { isOptionKey, type OptionKey, optionDefinition } from '@tollgate/contract/options/index'
import { missingText } from '@tollgate/contract/options/needs'
import { memo, useId } from 'react'
import { confirm } from '../../shared/confirm/confirm.ts'
import { useLanguage } from '../../shared/i18n/language.ts'
import { refusedText } from '../../shared/json/json-fault.ts'
import { Icon } from '../../shared/icon/icon.tsx'
import { SettingControl } from './controls/setting-control.tsx'
import { changedKeys, faultOf } from './drafts.ts'
import { settingMessages } from './i18n/index.ts'
import { useHashTarget } from './places/use-hash-target.ts'
import { Preview } from './preview.tsx'
import styles from './settings.module.css'
import type { SettingField } from './tab.ts'
import { useDrafts } from './use-drafts.ts'

interface FieldRowProps {
  readonly field: SettingField
  readonly onHistory: (key: OptionKey) => void
}

/** One setting: its name and help, its control, its error, and a link to its history. */
export function FieldRow({ field, onHistory }: FieldRowProps) {
  const { stored, drafts, enter, forget } = useDrafts()
  const { key } = field
  const before = stored.get(key)
  return (
    <Row
      field={field}
      value={drafts.get(key) ?? before?.text ?? ''}
      storedText={before?.text}
      isSet={before?.isSet === true}
      isEntered={drafts.has(key)}
      isDirty={changedKeys([key], drafts, stored).length > 0}
      problem={useProblem(field)}
      onEnter={enter}
      onForget={forget}
      onHistory={onHistory}
    />
  )
}

interface RowProps extends FieldRowProps {
  readonly value: string
  readonly storedText: string | undefined
  readonly isSet: boolean
  readonly isEntered: boolean
  readonly isDirty: boolean
  readonly problem: string | undefined
  readonly onEnter: (key: OptionKey, text: string) => void
  readonly onForget: (keys: readonly OptionKey[]) => void
}

/**
 * Rendered when something about its own setting changes: a tab has up to a hundred rows, and each key that is
 * typed in one of them changes the drafts.
 */
const Row = memo(function Row({ field, value, storedText, problem, onEnter, onForget, ...row }: RowProps) {
  const t = settingMessages.use()
  const language = useLanguage()
  const id = useId()
  const { key, definition } = field
  const label = definition.label[language]
  const isMeant = useHashTarget() === key

  async function change(text: string) {
    const { confirmOff: question } = definition
    if (question !== undefined && text === 'false' && storedText === 'true') {
      const isSure = await confirm({
        title: question.title[language],
        consequence: question.consequence[language],
        confirmLabel: question.confirmLabel[language],
        isDestructive: true,
      })
      if (!isSure) return
    }
    onEnter(key, text)
  }

  return (
    <div id={key} tabIndex={-1} className={classOf(field, isMeant)}>
      <div className={styles.words}>
        <div className={styles.name}>
          <label id={`${id}-label`} htmlFor={id}>
            {label}
          </label>
          {row.isDirty && <span className={styles.dot} title={t('form.unsaved')} />}
          <button
            type="button"
            className={styles.small}
            title={t('historyOf', { name: label })}
            aria-label={t('historyOf', { name: label })}
            onClick={() => row.onHistory(key)}
          >
            <Icon name="clock" sizePx={14} />
          </button>
        </div>
        <p id={`${id}-help`} className={styles.help}>
          {definition.help[language]}
        </p>
      </div>
      <div className={styles.control}>
        <SettingControl
          id={id}
          describedBy={`${id}-help ${id}-fault`}
          definition={definition}
          value={value}
          isSet={row.isSet}
          isEntered={row.isEntered}
          isFaulty={problem !== undefined}
          onChange={(text) => void change(text)}
          onForget={() => onForget([key])}
        />
        <p id={`${id}-fault`} className={styles.fault} role={problem === undefined ? undefined : 'alert'}>
          {problem}
        </p>
        {definition.preview !== undefined && (
          <Preview text={value} title={label} shape={definition.preview} />
        )}
      </div>
    </div>
  )
})

function classOf({ definition }: SettingField, isMeant: boolean): string {
  const isTall = definition.lines !== undefined
  return [styles.field, isTall && styles.tall, isMeant && styles.meant].filter(Boolean).join(' ')
}

/** The error of an entry, found by the console's own check or returned by the server. */
function useProblem({ key, definition }: SettingField): string | undefined {
  const t = settingMessages.use()
  const language = useLanguage()
  const { stored, drafts, failures } = useDrafts()
  const fault = faultOf(key, drafts, stored)
  if (fault?.type === 'needs') {
    const label = (needed: string) =>
      isOptionKey(needed) ? optionDefinition(needed).label[language] : needed
    return t('fillFirst', { name: missingText(fault.missing, { label, or: t('fillOr') }) })
  }
  if (fault?.type === 'refused') {
    const accepted = t('accepts', { what: definition.allowed[language] })
    const place = fault.path && refusedText(drafts.get(key) ?? '', fault.path)
    return place === undefined ? accepted : `${place} ${accepted}`
  }
  return failures.get(key)
}
