import { Select } from 'antd'
import { ComponentLibrary } from '../design/component-library.tsx'
import { Chevron } from './chevron.tsx'
import type { SelectProps } from './select-props.ts'
import type { InteractionStage } from './use-interaction-stage.ts'

interface LibrarySelectProps extends SelectProps<string | number> {
  /**
   * How far the reader's interaction had gone (pointed at, focused, opened) when the select replaced the
   * plain control.
   */
  readonly reach: InteractionStage
}

/**
 * The component library's select, together with the library's provider, because the page may be rendered
 * without it.
 */
export function LibrarySelect({
  reach,
  label,
  value,
  options,
  widthPx,
  listHeightPx,
  isSearchable = false,
  isLoading = false,
  nothing,
  onChange,
  onClear,
  ...others
}: LibrarySelectProps) {
  return (
    <ComponentLibrary>
      <Select<string | number>
        {...others}
        aria-label={label}
        value={value ?? null}
        showSearch={isSearchable ? { optionFilterProp: 'label' } : undefined}
        notFoundContent={nothing}
        allowClear={onClear !== undefined}
        loading={isLoading}
        style={{ width: widthPx }}
        listHeight={listHeightPx}
        suffixIcon={isLoading ? undefined : <Chevron />}
        options={[...options]}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the cursor stands here already, in what this takes the place of
        autoFocus={reach === 'focused' || reach === 'opened'}
        defaultOpen={reach === 'opened'}
        onChange={(chosen: string | number | undefined) =>
          chosen === undefined ? onClear?.() : onChange(chosen)
        }
      />
    </ComponentLibrary>
  )
}
