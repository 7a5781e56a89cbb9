import { SettingField } from './setting-field.tsx'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { jsonObjectFaultText } from '../../../shared/json/json-fault.ts'
import { channelMessages } from '../i18n/index.ts'
import styles from './form.module.css'
import { hasBrokenTraits, settingObject, type SettingObject, withMembers } from './setting-object.ts'

interface ModelTraitsFieldProps {
  readonly object: SettingObject
  readonly onChange: (text: string) => void
}

/**
 * Traits of this channel's models, as JSON keyed by name patterns. The server reports a trait that it cannot
 * parse.
 */
export function ModelTraitsField({ object, onChange }: ModelTraitsFieldProps) {
  const t = channelMessages.use()
  const id = useId()
  const stored = textOfTraits(object['model_traits'])
  const [draft, setDraft] = useState<string>()
  const isBroken = hasBrokenTraits(object)
  const change = (text: string) => {
    const traits = settingObject(text)
    setDraft(text)
    const isNone = traits !== undefined && Object.keys(traits).length === 0
    onChange(withMembers(object, { model_traits: isNone ? undefined : (traits ?? text) }))
  }
  return (
    <SettingField id={id} label={t('setting.modelTraits')} help={t('setting.modelTraitsHelp')}>
      <Input.TextArea
        id={id}
        className="code"
        spellCheck={false}
        autoSize={{ minRows: 1, maxRows: 12 }}
        aria-describedby={`${id}-help`}
        aria-invalid={isBroken}
        status={isBroken ? 'error' : undefined}
        placeholder={'{"gpt-6*": {"refuses": ["top_p"], "responses_for": []}}'}
        value={draft ?? stored}
        onChange={(event) => change(event.target.value)}
        onBlur={() => setDraft(undefined)}
      />
      {isBroken && (
        <p className={styles.fault} role="alert">
          {jsonObjectFaultText(draft ?? stored) ?? t('setting.modelTraitsBroken')}
        </p>
      )}
    </SettingField>
  )
}

/** One line for each pattern. */
function textOfTraits(traits: unknown): string {
  if (traits === undefined) return ''
  if (typeof traits === 'string') return traits
  if (typeof traits !== 'object' || traits === null) return JSON.stringify(traits)
  const lines = Object.entries(traits).map(
    ([pattern, value]) => `  ${JSON.stringify({ [pattern]: value }).slice(1, -1)}`,
  )
  return `{\n${lines.join(',\n')}\n}`
}
