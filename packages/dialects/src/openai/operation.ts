/** OpenAI operations whose requests and responses are read and counted. */
export type OpenAiOperation =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'moderations'
  | 'compact'
  | 'rerank'
  /** A standalone web search. */
  | 'search'
