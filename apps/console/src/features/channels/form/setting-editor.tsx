import { switches } from './setting-switches.ts'
import { AccountField } from './account-field.tsx'
import { AffinityField } from './affinity-field.tsx'
import { SettingField } from './setting-field.tsx'
import { Checkbox, Input, InputNumber, Switch } from 'antd'
import { useId } from 'react'
import { RowsEditor } from '../../../shared/rows/rows-editor.tsx'
import { channelMessages } from '../i18n/index.ts'
import { routeRows, routeTable } from './route-rows.ts'
import { RoutesEditor } from './routes-editor.tsx'
import styles from './form.module.css'
import { ModelTraitsField } from './model-traits.tsx'
import { StoredContextField } from './stored-context.tsx'
import {
  isOn,
  type SettingObject,
  type SettingSwitch,
  settingObject,
  textOf,
  withMembers,
} from './setting-object.ts'

interface SettingEditorProps {
  /** The provider's id, for example `azure`; a provider may have settings of its own. */
  readonly providerId: string | undefined
  /** JSON text, passed in by the surrounding form field. */
  readonly value?: string
  readonly onChange?: (text: string) => void
  readonly id?: string
}

/** Edits the channel's settings: one field for each known setting, above the JSON that stores them. */
export function SettingEditor({ providerId, value = '', onChange, id }: SettingEditorProps) {
  const t = channelMessages.use()
  const object = settingObject(value)
  const change = (text: string) => onChange?.(text)
  return (
    <div className={styles.settings}>
      {object !== undefined && (
        <>
          <Texts object={object} providerId={providerId} onChange={change} />
          <Switches object={object} providerId={providerId} onChange={change} />
          <StoredContextField object={object} onChange={change} />
          <MemberRules object={object} onChange={change} />
          <AffinityField object={object} onChange={change} />
          <AccountField object={object} onChange={change} />
          <Costs object={object} onChange={change} />
          <ModelTraitsField object={object} onChange={change} />
          {providerId === 'advanced' && <Routes object={object} onChange={change} />}
        </>
      )}
      <Input.TextArea
        id={id}
        className="code"
        spellCheck={false}
        autoSize={{ minRows: 2, maxRows: 12 }}
        placeholder={t('form.settingExample')}
        value={value}
        onChange={(event) => change(event.target.value)}
      />
    </div>
  )
}

interface PartProps {
  readonly object: SettingObject
  readonly onChange: (text: string) => void
}

interface ProviderPartProps extends PartProps {
  readonly providerId: string | undefined
}

const texts = [
  { member: 'proxy', label: 'form.proxy', example: 'socks5://127.0.0.1:1080' },
  { member: 'azure_responses_version', label: 'setting.azureVersion', example: 'preview', only: 'azure' },
] as const

function Texts({ object, providerId, onChange }: ProviderPartProps) {
  const t = channelMessages.use()
  const id = useId()
  return (
    <>
      {texts.filter(isOf(providerId)).map(({ member, label, example }) => (
        <SettingField key={member} id={`${id}-${member}`} label={t(label)}>
          <Input
            id={`${id}-${member}`}
            className="code"
            placeholder={example}
            value={textOf(object, member)}
            onChange={(event) => onChange(withMembers(object, { [member]: event.target.value.trim() }))}
          />
        </SettingField>
      ))}
      <SettingField id={`${id}-prompt`} label={t('word.systemPrompt')} help={t('setting.promptHelp')}>
        <Input.TextArea
          id={`${id}-prompt`}
          aria-describedby={`${id}-prompt-help`}
          autoSize={{ minRows: 1, maxRows: 8 }}
          value={textOf(object, 'system_prompt')}
          onChange={(event) => onChange(withMembers(object, { system_prompt: event.target.value }))}
        />
      </SettingField>
    </>
  )
}

function Switches({ object, providerId, onChange }: ProviderPartProps) {
  const t = channelMessages.use()
  const id = useId()
  return switches.filter(isOf(providerId)).map(({ label, help, ...part }) => (
    <div key={part.member} className={styles.line}>
      <Switch
        id={`${id}-${part.member}`}
        size="small"
        aria-describedby={`${id}-${part.member}-help`}
        checked={isOn(object, part)}
        onChange={(isNowOn) => onChange(withMembers(object, { [part.member]: storedAs(part, isNowOn) }))}
      />
      <div>
        <label htmlFor={`${id}-${part.member}`}>{t(label)}</label>
        <p id={`${id}-${part.member}-help`} className={styles.help}>
          {t(help)}
        </p>
      </div>
    </div>
  ))
}

/** The default is stored by leaving the member out. */
function storedAs({ on, off }: SettingSwitch, isNowOn: boolean): string | boolean | undefined {
  if (off !== undefined) return isNowOn ? undefined : off
  return isNowOn ? on : undefined
}

/** Shows the routes as rows if rows can represent them; the JSON below contains them too. */
function Routes({ object, onChange }: PartProps) {
  const rows = routeRows(object['advanced_routes'])
  if (rows === undefined) return null
  return (
    <RoutesEditor
      rows={rows}
      onChange={(next) => onChange(withMembers(object, { advanced_routes: routeTable(next) }))}
    />
  )
}

/** The upstream's prices as a ratio of the price list: per model, and one for all other models. */
function Costs({ object, onChange }: PartProps) {
  const t = channelMessages.use()
  const id = useId()
  const { cost_ratio: others, cost_ratios: byModel } = object
  return (
    <fieldset className={styles.setting} aria-labelledby={`${id}-label`}>
      <label id={`${id}-label`} htmlFor={`${id}-ratio`}>
        {t('setting.cost')}
      </label>
      <InputNumber
        id={`${id}-ratio`}
        aria-describedby={`${id}-help`}
        style={{ width: 160 }}
        min={0}
        max={1000}
        step={0.05}
        placeholder="0.8"
        value={typeof others === 'string' || typeof others === 'number' ? Number(others) : null}
        onChange={(ratio) => onChange(withMembers(object, { cost_ratio: ratio ?? undefined }))}
      />
      <p id={`${id}-help`} className={styles.help}>
        {t('setting.costHelp')}
      </p>
      <RowsEditor
        shape="numbers"
        isOptional
        columns={[t('word.model'), t('setting.cost')]}
        example='{"gpt-4o": 0.5}'
        value={byModel === undefined ? '' : JSON.stringify(byModel)}
        onChange={(text) => onChange(withMembers(object, { cost_ratios: membersOf(text) }))}
      />
    </fieldset>
  )
}

/** `undefined` if the object has no members. */
function membersOf(text: string): SettingObject | undefined {
  const members = settingObject(text) ?? {}
  return Object.keys(members).length === 0 ? undefined : members
}

/**
 * Request members that change what the upstream charges, each with the setting that allows it; and members
 * that change what the upstream stores or receives, each with the setting that forbids it.
 */
const memberRules = [
  {
    label: 'setting.allowed',
    help: 'setting.allowedHelp',
    rules: [
      { name: 'service_tier', member: 'allow_service_tier', on: true },
      { name: 'speed', member: 'allow_speed', on: true },
      { name: 'inference_geo', member: 'allow_inference_geo', on: true },
    ],
  },
  {
    label: 'setting.forbidden',
    help: 'setting.forbiddenHelp',
    rules: [
      { name: 'safety_identifier', member: 'allow_safety_identifier', on: false },
      { name: 'store', member: 'disable_store', on: true },
    ],
  },
] as const

function MemberRules(props: PartProps) {
  return memberRules.map((one) => <RuledMembers key={one.label} {...one} {...props} />)
}

function RuledMembers({ label, help, rules, object, onChange }: PartProps & (typeof memberRules)[number]) {
  const t = channelMessages.use()
  const id = useId()
  return (
    <fieldset className={styles.setting} aria-labelledby={`${id}-label`}>
      <span id={`${id}-label`}>{t(label)}</span>
      <Checkbox.Group
        options={rules.map(({ name }) => ({ value: name, label: <span className="code">{name}</span> }))}
        value={rules.filter((one) => isOn(object, one)).map(({ name }) => name)}
        onChange={(names) =>
          onChange(
            withMembers(
              object,
              Object.fromEntries(
                rules.map(({ name, member, on }) => [
                  member,
                  valueOf(object[member], names.includes(name), on),
                ]),
              ),
            ),
          )
        }
      />
      <p className={styles.help}>{t(help)}</p>
    </fieldset>
  )
}

/** An explicitly stored opposite value is kept as long as the box is not ticked. */
function valueOf(stored: unknown, isTicked: boolean, on: boolean): unknown {
  if (isTicked) return on
  return stored === on ? undefined : stored
}

function isOf(
  providerId: string | undefined,
): (part: { readonly member: string; readonly only?: string | readonly string[] }) => boolean {
  return ({ only }) => only === undefined || [only].flat().some((id) => id === providerId)
}
