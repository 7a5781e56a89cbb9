import { SettingField } from './setting-field.tsx'
import { Button, Input, Select } from 'antd'
import { useId } from 'react'
import { Icon } from '../../../shared/icon/icon.tsx'
import { channelMessages } from '../i18n/index.ts'
import styles from './form.module.css'
import { needsName, newRoute, routeAuths, routeFault, type RouteRow } from './route-rows.ts'

interface RoutesEditorProps {
  readonly rows: readonly RouteRow[]
  readonly onChange: (rows: readonly RouteRow[]) => void
}

/** Edits the routes of an upstream, path by path. If two routes match a request, the first one is used. */
export function RoutesEditor({ rows, onChange }: RoutesEditorProps) {
  const t = channelMessages.use()
  const id = useId()
  return (
    <fieldset className={styles.setting} aria-labelledby={`${id}-label`}>
      <span id={`${id}-label`}>{t('setting.routes')}</span>
      <p className={styles.help}>{t('setting.routesHelp')}</p>
      <ol className={styles.routes}>
        {rows.map((row, place) => (
          <RouteLine
            // oxlint-disable-next-line react/no-array-index-key -- a route is its place; paths change while they are typed
            key={place}
            row={row}
            place={place + 1}
            onChange={(changed) => onChange(rows.with(place, changed))}
            onRemove={() => onChange(rows.filter((_row, other) => other !== place))}
          />
        ))}
      </ol>
      <div>
        <Button size="small" icon={<Icon name="plus" />} onClick={() => onChange([...rows, newRoute])}>
          {t('setting.route')}
        </Button>
      </div>
    </fieldset>
  )
}

interface RouteLineProps {
  readonly row: RouteRow
  readonly place: number
  readonly onChange: (row: RouteRow) => void
  readonly onRemove: () => void
}

const cells = [
  { name: 'incoming', label: 'route.incoming', example: '/v1/chat/completions' },
  { name: 'upstream', label: 'route.upstream', example: '/v1/chat/completions' },
  { name: 'converter', label: 'route.converter', example: 'openai_to_claude' },
] as const

function RouteLine({ row, place, onChange, onRemove }: RouteLineProps) {
  const t = channelMessages.use()
  const id = useId()
  const fault = routeFault(row)
  const faulty = fault === undefined ? {} : { 'aria-describedby': `${id}-fault` }
  return (
    <li className={styles.route}>
      <div className={styles.routeCells}>
        {cells.map(({ name, label, example }) => (
          <SettingField key={name} id={`${id}-${name}`} label={`${t(label)} ${place}`}>
            <Input
              id={`${id}-${name}`}
              className="code"
              placeholder={example}
              {...faulty}
              status={fault === name ? 'error' : undefined}
              value={row[name]}
              onChange={(event) => onChange({ ...row, [name]: event.target.value })}
            />
          </SettingField>
        ))}
        <SettingField id={`${id}-auth`} label={`${t('route.auth')} ${place}`}>
          <Select
            id={`${id}-auth`}
            value={row.auth}
            options={routeAuths.map((value) => ({ value, label: t(`route.auth.${value}`) }))}
            onChange={(auth) => onChange({ ...row, auth })}
          />
        </SettingField>
        {needsName(row.auth) && (
          <>
            <SettingField id={`${id}-name`} label={`${t('word.name')} ${place}`}>
              <Input
                id={`${id}-name`}
                className="code"
                placeholder="x-api-key"
                {...faulty}
                status={fault === 'authName' ? 'error' : undefined}
                value={row.authName}
                onChange={(event) => onChange({ ...row, authName: event.target.value })}
              />
            </SettingField>
            <SettingField id={`${id}-value`} label={`${t('word.value')} ${place}`}>
              <Input
                id={`${id}-value`}
                className="code"
                placeholder="{api_key}"
                value={row.authValue}
                onChange={(event) => onChange({ ...row, authValue: event.target.value })}
              />
            </SettingField>
          </>
        )}
        <SettingField id={`${id}-models`} label={`${t('route.models')} ${place}`}>
          <Input.TextArea
            id={`${id}-models`}
            className="code"
            autoSize={{ minRows: 1, maxRows: 6 }}
            placeholder="gpt-4o, re:^o[13]"
            {...faulty}
            status={fault === 'pattern' ? 'error' : undefined}
            value={row.models}
            onChange={(event) => onChange({ ...row, models: event.target.value })}
          />
        </SettingField>
      </div>
      <Button
        type="text"
        icon={<Icon name="close" />}
        aria-label={t('route.remove', { place })}
        onClick={onRemove}
      />
      {fault !== undefined && (
        <p id={`${id}-fault`} className={styles.fault} role="alert">
          {t(`route.fault.${fault}`)}
        </p>
      )}
    </li>
  )
}
