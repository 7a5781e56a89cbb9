import { type OptionKey, optionDefinition } from '@tollgate/contract/options/index'
import { Alert, Button } from 'antd'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { Diff } from '../history/diff.tsx'
import { settingMessages } from '../i18n/index.ts'
import { useDrafts } from '../use-drafts.ts'
import { contestedKeys } from './contested-keys.ts'
import styles from './setting-conflicts.module.css'
import { joined } from './merge-edits.ts'

/**
 * Shows each setting that another operator stored while it was edited here, with both changes and the choices
 * for the reader's own edit.
 */
export function SettingConflicts({ keys }: { readonly keys: readonly OptionKey[] }) {
  const book = useDrafts()
  return contestedKeys(keys, book).map((key) => <ContestedSetting key={key} settingKey={key} />)
}

function ContestedSetting({ settingKey: key }: { readonly settingKey: OptionKey }) {
  const t = settingMessages.use()
  const language = useLanguage()
  const { stored, drafts, bases, rebase, forget } = useDrafts()
  const base = bases.get(key)?.text ?? ''
  const theirs = stored.get(key)?.text ?? ''
  const { text, contested } = joined({ base, theirs, ours: drafts.get(key) ?? '' })
  const isApart = contested?.length === 0
  const { label, isSecret } = optionDefinition(key)
  return (
    <Alert
      type="warning"
      className={styles.contest}
      title={t('contest.title', { name: label[language] })}
      description={
        <>
          <p>
            {contested === undefined && t('contest.whole')}
            {isApart && t('contest.apart')}
            {contested !== undefined && !isApart && t('contest.both', { names: contested.join(', ') })}
          </p>
          {isSecret ? <p>{t('contest.hidden')}</p> : <Diff before={base} after={theirs} lines="changed" />}
          <div className={styles.answers}>
            <Button size="small" type="primary" onClick={() => rebase(key, text)}>
              {t(isApart ? 'contest.join' : 'contest.keep')}
            </Button>
            <Button size="small" onClick={() => forget([key])}>
              {t('contest.take')}
            </Button>
          </div>
        </>
      }
    />
  )
}
