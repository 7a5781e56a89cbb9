import { useQuery } from '@tanstack/react-query'
import { channelRoutes } from '@tollgate/contract/channel'
import { AutoComplete } from 'antd'
import { api } from '../../../shared/api/client.ts'

const TAGS_SHOWN = 100

interface TagInputProps {
  /** Passed in by the surrounding form field. */
  readonly value?: string
  readonly onChange?: (tag: string) => void
  readonly id?: string
}

/** A tag input that suggests the tags in use. */
export function TagInput({ value = '', onChange, id }: TagInputProps) {
  const { data = [] } = useQuery({
    queryKey: ['channel', 'tags'],
    queryFn: async ({ signal }) => {
      const rows = await api.call(channelRoutes.list, {
        query: { tag_mode: true, page_size: TAGS_SHOWN },
        signal,
      })
      return [...new Set(rows.map(({ tag }) => tag))]
    },
  })
  return (
    <AutoComplete
      id={id}
      allowClear
      maxLength={64}
      value={value}
      onChange={(tag) => onChange?.(tag ?? '')}
      options={data.map((tag) => ({ value: tag }))}
      showSearch={{ filterOption: (text, option) => option?.value.includes(text) === true }}
    />
  )
}
