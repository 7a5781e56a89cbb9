import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownModelsQuery } from '../../../shared/api/own-queries.ts'
import { SelectOnDemand } from '../../../shared/on-demand/select-on-demand.tsx'
import { FilterRow } from '../../../shared/page/filter-row.tsx'
import { TextInput } from '../../../shared/page/text-input.tsx'
import { useKnownGroups } from '../api.ts'
import { usageLogMessages } from '../i18n/index.ts'
import { ClientField } from './client-field.tsx'
import { GroupField } from './group-field.tsx'
import { ModelField } from './model-field.tsx'
import { RangeField } from './range-field.tsx'
import { activeFilters, type LogFilters, type TimeRange } from './search.ts'
import { typeOptions } from './type-options.ts'

interface LogFilterRowProps {
  /**
   * The filters in the address. They are the initial values of the row, which is mounted anew when they
   * change.
   */
  readonly initialValue: LogFilters
  readonly defaultRange: TimeRange
  readonly isAdmin: boolean
  readonly onSearch: (filters: LogFilters) => void
}

/** All filters in one row. They are applied together, by the button or by Enter. */
export function LogFilterRow({ initialValue, defaultRange, isAdmin, onSearch }: LogFilterRowProps) {
  const t = usageLogMessages.use()
  const [filters, setFilters] = useState(initialValue)
  const change = (part: Partial<LogFilters>) => setFilters((before) => ({ ...before, ...part }))
  // Suggestions only; filtering works without them.
  const { data: models = [] } = useQuery(ownModelsQuery)
  const groups = useKnownGroups(isAdmin)
  return (
    <FilterRow activeCount={activeFilters(initialValue)} onSubmit={() => onSearch(filters)}>
      <PlaceField
        initialValue={initialValue}
        filters={filters}
        defaultRange={defaultRange}
        onChange={change}
      />
      <TextField
        isSearch
        label={t('word.token')}
        value={filters.token_name}
        onChange={(token_name) => change({ token_name })}
      />
      <ModelField
        names={models}
        value={filters.model_name}
        onChange={(model_name) => change({ model_name })}
      />
      <GroupField names={groups} value={filters.group} onChange={(group) => change({ group })} />
      {isAdmin && (
        <TextField
          label={t('word.channelId')}
          value={filters.channel === 0 ? '' : String(filters.channel)}
          onChange={(text) => change({ channel: digitsOf(text) })}
        />
      )}
      {isAdmin && (
        <TextField
          label={t('word.user')}
          value={filters.username}
          onChange={(username) => change({ username })}
        />
      )}
      {isAdmin && initialValue.request_id === '' && (
        <TextField
          label={t('fact.requestId')}
          value={filters.request_id}
          onChange={(request_id) => change({ request_id })}
        />
      )}
      {(!isAdmin || initialValue.client !== '') && (
        <ClientField value={filters.client} onChange={(client) => change({ client })} />
      )}
      <SelectOnDemand<LogFilters['type']>
        widthPx={124}
        label={t('column.type')}
        value={filters.type}
        options={typeOptions(t)}
        onChange={(type) => change({ type })}
      />
    </FilterRow>
  )
}

interface PlaceFieldProps {
  readonly initialValue: LogFilters
  readonly filters: LogFilters
  readonly defaultRange: TimeRange
  readonly onChange: (part: Partial<LogFilters>) => void
}

/** The time range, or the call or session that is searched without one. */
function PlaceField({ initialValue, filters, defaultRange, onChange }: PlaceFieldProps) {
  const t = usageLogMessages.use()
  if (initialValue.request_id !== '')
    return (
      <TextField
        widthPx={306}
        label={t('fact.requestId')}
        value={filters.request_id}
        onChange={(request_id) => onChange({ request_id })}
      />
    )
  if (initialValue.session !== '')
    return (
      <TextField
        widthPx={306}
        label={t('fact.session')}
        value={filters.session}
        onChange={(session) => onChange({ session })}
      />
    )
  return <RangeField filters={filters} defaultRange={defaultRange} onChange={onChange} />
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

interface TextFieldProps extends FieldProps {
  /** `/` focuses this field. */
  readonly isSearch?: boolean
  readonly widthPx?: number
}

function TextField({ label, value, onChange, isSearch = false, widthPx = 112 }: TextFieldProps) {
  return (
    <TextInput
      label={label}
      placeholder={label}
      value={value}
      widthPx={widthPx}
      isSearch={isSearch}
      onChange={onChange}
    />
  )
}

const CHANNEL_DIGITS_MAX = 9

function digitsOf(text: string): number {
  return Number(text.replace(/\D/g, '').slice(0, CHANNEL_DIGITS_MAX))
}
