import { isOptionKey, optionDefinition } from '@tollgate/contract/options/index'
import { missingText } from '@tollgate/contract/options/needs'
import { useCallback, useId } from 'react'
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
  readonly onHistory: () => void
}

/** One setting: its name and help, its control, its error, and a link to its history. */
export function FieldRow({ field, onHistory }: FieldRowProps) {
  const t = settingMessages.use()
  const language = useLanguage()
  const id = useId()
  const { stored, drafts, enter, forget } = useDrafts()
  const { key, definition } = field
  const label = definition.label[language]
  const value = drafts.get(key) ?? stored.get(key)?.text ?? ''
  const isDirty = changedKeys([key], drafts, stored).length > 0
  const problem = useProblem(field)
  const isMeant = useHashTarget() === key

  const change = useCallback(
    async (text: string) => {
      const { confirmOff: question } = definition
      if (question !== undefined && text === 'false' && stored.get(key)?.text === 'true') {
        const isSure = await confirm({
          title: question.title[language],
          consequence: question.consequence[language],
          confirmLabel: question.confirmLabel[language],
          isDestructive: true,
        })
        if (!isSure) return
      }
      enter(key, text)
    },
    [definition, stored, key, language, enter],
  )
  const onChange = useCallback((text: string) => void change(text), [change])
  const onForget = useCallback(() => forget([key]), [forget, key])

  return (
    <div id={key} tabIndex={-1} className={classOf(field, isMeant)}>
      <div className={styles.words}>
        <div className={styles.name}>
          <label id={`${id}-label`} htmlFor={id}>
            {label}
          </label>
          {isDirty && <span className={styles.dot} title={t('form.unsaved')} />}
          <button
            type="button"
            className={styles.small}
            title={t('historyOf', { name: label })}
            aria-label={t('historyOf', { name: label })}
            onClick={onHistory}
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
          isSet={stored.get(key)?.isSet === true}
          isEntered={drafts.has(key)}
          isFaulty={problem !== undefined}
          onChange={onChange}
          onForget={onForget}
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
}

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
