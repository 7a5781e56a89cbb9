import { Input, Slider, Switch } from 'antd'
import { AUTO_GROUP } from '@tollgate/contract/token'
import { type ReactNode, useId } from 'react'
import { useGroups } from '../api.ts'
import { playgroundMessages } from '../i18n.ts'
import {
  MAX_TOKENS_MAX,
  type PlaygroundSettings,
  SYSTEM_PROMPT_CHARACTERS_MAX,
  temperatureRange,
} from './settings.ts'
import styles from './settings-panel.module.css'
import { groupDescription } from '../../../shared/groups/group-description.ts'
import { SelectOnDemand } from '../../../shared/on-demand/select-on-demand.tsx'
import { TextInput } from '../../../shared/page/text-input.tsx'

interface SettingsPanelProps {
  readonly settings: PlaygroundSettings
  /** `undefined` while loading. */
  readonly models: readonly string[] | undefined
  readonly onChange: (change: Partial<PlaygroundSettings>) => void
}

/** The settings for the next question. Each change takes effect at once and is stored. */
export function SettingsPanel({ settings, models, onChange }: SettingsPanelProps) {
  const t = playgroundMessages.use()
  const groups = useGroups()
  return (
    <aside className={styles.panel} aria-label={t('settings')}>
      <Setting label={t('word.group')}>
        {(id) => (
          <SelectOnDemand
            id={id}
            placeholder={t('settings.ownGroup')}
            value={settings.group === '' ? undefined : settings.group}
            options={[
              ...(groups.some(({ name }) => name === AUTO_GROUP)
                ? []
                : [{ value: AUTO_GROUP, label: t('word.autoGroup') }]),
              ...groups.map(({ name, description, ratio }) => ({
                value: name,
                label: t('settings.groupOption', { name, description: groupDescription(description), ratio }),
              })),
            ]}
            onChange={(group) => onChange({ group })}
            onClear={() => onChange({ group: '' })}
          />
        )}
      </Setting>
      <Setting label={t('word.model')}>
        {(id) => (
          <SelectOnDemand
            id={id}
            isSearchable
            isLoading={models === undefined}
            value={settings.model}
            options={(models ?? []).map((name) => ({ value: name, label: name }))}
            nothing={t('settings.noModel')}
            onChange={(model) => onChange({ model })}
          />
        )}
      </Setting>
      <TemperatureSetting
        value={settings.temperature}
        onChange={(temperature) => onChange({ temperature })}
      />
      <Setting label={t('settings.maxTokens')}>
        {(id) => (
          <TextInput
            placeholder={t('settings.modelDefault')}
            value={settings.maxTokens === 0 ? '' : String(settings.maxTokens)}
            onChange={(text) => onChange({ maxTokens: maxTokensIn(text) })}
            native={{ id, type: 'number', min: 1, max: MAX_TOKENS_MAX, step: 1, inputMode: 'numeric' }}
          />
        )}
      </Setting>
      <Setting label={t('word.systemPrompt')}>
        {(id) => (
          <Input.TextArea
            id={id}
            maxLength={SYSTEM_PROMPT_CHARACTERS_MAX}
            autoSize={{ minRows: 4, maxRows: 12 }}
            placeholder={t('settings.noSystem')}
            value={settings.systemPrompt}
            onChange={(event) => onChange({ systemPrompt: event.target.value })}
          />
        )}
      </Setting>
      <Setting label={t('settings.reconnects')}>
        {(id) => (
          <div>
            <Switch
              id={id}
              checked={settings.reconnects}
              onChange={(reconnects) => onChange({ reconnects })}
            />
            <p className={styles.hint}>{t('settings.reconnectsHint')}</p>
          </div>
        )}
      </Setting>
    </aside>
  )
}

/** Returns 0, the model's own default, for text that is not a number. */
function maxTokensIn(text: string): number {
  return Math.min(Math.trunc(Math.abs(Number(text))) || 0, MAX_TOKENS_MAX)
}

interface TemperatureSettingProps {
  readonly value: number
  readonly onChange: (value: number) => void
}

/** The model's own temperature applies until the slider is moved. */
function TemperatureSetting({ value, onChange }: TemperatureSettingProps) {
  const t = playgroundMessages.use()
  const isSet = value > temperatureRange.modelDefault
  const { min, max, step } = temperatureRange
  return (
    <Setting
      label={t('settings.temperature')}
      value={
        isSet ? (
          <>
            <span className="number">{value.toFixed(1)}</span>{' '}
            <button
              type="button"
              className={styles.reset}
              onClick={() => onChange(temperatureRange.modelDefault)}
            >
              {t('settings.reset')}
            </button>
          </>
        ) : (
          <span className="muted">{t('settings.modelDefault')}</span>
        )
      }
    >
      {(id) => (
        <Slider
          id={id}
          ariaLabelForHandle={t('settings.temperature')}
          className={isSet ? styles.slider : `${styles.slider} ${styles.unset}`}
          min={min}
          max={max}
          step={step}
          included={isSet}
          value={isSet ? value : max}
          onChange={onChange}
        />
      )}
    </Setting>
  )
}

interface SettingProps {
  readonly label: string
  /** Shown beside the label of the field. */
  readonly value?: ReactNode
  readonly children: (id: string) => ReactNode
}

function Setting({ label, value, children }: SettingProps) {
  const id = useId()
  return (
    <div className="stack-4">
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        {value}
      </div>
      {children(id)}
    </div>
  )
}
