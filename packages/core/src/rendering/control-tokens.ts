/** The tokens with which a family of models tells turns, roles and calls apart, as its tokenizer has them. */
export interface ControlTokens {
  readonly family: string;
  /** What they were taken from. */
  readonly source: string;
  /** Exactly as the tokenizer takes them out of a text, case and all. */
  readonly tokens: readonly string[];
}

/**
 * Of every family in the model registry whose tokenizer is published, and of families that are often run beside them.
 * Anthropic publishes none. Numbered tokens (`<unused7>`, `<SPECIAL_20>`) have patterns of their own below.
 */
export const controlTokens: readonly ControlTokens[] = [
  {
    family: "openai",
    source: "tiktoken: openai_public.py; OpenAI: harmony response format",
    tokens: split(
      "<|endoftext|> <|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|endofprompt|> <|im_start|> <|im_end|> <|im_sep|> " +
        "<|startoftext|> <|start|> <|end|> <|message|> <|channel|> <|constrain|> <|return|> <|call|>",
    ),
  },
  {
    family: "llama",
    source: "Meta: Llama 2 tokenizer.model and chat format; tokenizer_config.json of Llama 3, 3.1, 3.2 and 4",
    tokens: split(
      "<s> </s> <unk> <pad> [INST] [/INST] <<SYS>> <</SYS>> <|begin_of_text|> <|end_of_text|> <|start_header_id|> " +
        "<|end_header_id|> <|eot_id|> <|eom_id|> <|python_tag|> <|finetune_right_pad_id|> <|image|> <|header_start|> " +
        "<|header_end|> <|eom|> <|eot|> <|step|> <|python_start|> <|python_end|> <|image_start|> <|image_end|> <|patch|>",
    ),
  },
  {
    family: "mistral",
    source: "mistral-common 1.13.1: SpecialTokens; tekken.json",
    tokens: split(
      "<unk> <s> </s> <pad> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [/TOOL_RESULTS] " +
        "[TOOL_CALLS] [IMG] [IMG_BREAK] [IMG_END] [PREFIX] [MIDDLE] [SUFFIX] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] " +
        "[TOOL_CONTENT] [ARGS] [CALL_ID] [AUDIO] [BEGIN_AUDIO] [TRANSCRIBE] [THINK] [/THINK] [STREAMING_PAD] " +
        "[STREAMING_WORD] [NEXT_AUDIO_TEXT] [REPEAT_AUDIO_TEXT] [MODEL_SETTINGS] [/MODEL_SETTINGS]",
    ),
  },
  {
    family: "gemma",
    source: "gemma 3.3.0: text tokenizers of Gemma 2, 3 and 3n; tokenizer.json of Gemma 3 and 4",
    tokens: split(
      "<pad> <eos> <bos> <unk> <mask> [multimodal] <start_of_turn> <end_of_turn> <start_of_image> <end_of_image> " +
        "<image_soft_token> <start_of_audio> <end_of_audio> <audio_soft_token> <|turn> <turn|> <|channel> <channel|> " +
        "<|tool> <tool|> <|tool_call> <tool_call|> <|tool_response> <tool_response|> <|image> <image|> <|audio> <audio|> " +
        "<|think|>",
    ),
  },
  {
    family: "qwen",
    source: "tokenizer_config.json of Qwen2, Qwen2.5, Qwen2-VL, Qwen3 and QwQ",
    tokens: split(
      "<|endoftext|> <|im_start|> <|im_end|> <|object_ref_start|> <|object_ref_end|> <|box_start|> <|box_end|> " +
        "<|quad_start|> <|quad_end|> <|vision_start|> <|vision_end|> <|vision_pad|> <|image_pad|> <|video_pad|> " +
        "<tool_call> </tool_call> <|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|fim_pad|> <|repo_name|> <|file_sep|> " +
        "<tool_response> </tool_response> <think> </think> <tts_pad> <tts_text_bos> <tts_text_eod>",
    ),
  },
  {
    family: "deepseek",
    source: "tokenizer.json of DeepSeek-V3, V3.1, V3.2 and R1",
    tokens: split(
      "<｜begin▁of▁sentence｜> <｜end▁of▁sentence｜> <｜▁pad▁｜> <｜User｜> <｜Assistant｜> <｜fim▁hole｜> <｜fim▁begin｜> " +
        "<｜fim▁end｜> <｜tool▁calls▁begin｜> <｜tool▁calls▁end｜> <｜tool▁call▁begin｜> <｜tool▁call▁end｜> " +
        "<｜tool▁outputs▁begin｜> <｜tool▁outputs▁end｜> <｜tool▁output▁begin｜> <｜tool▁output▁end｜> <｜tool▁sep｜> " +
        "<think> </think> <|EOT|> <｜DSML｜>",
    ),
  },
  {
    family: "glm",
    source: "tokenizer_config.json of GLM-4, 4.5 and 5",
    tokens: split(
      "[MASK] [gMASK] [sMASK] <sop> <eop> <|endoftext|> <|system|> <|user|> <|assistant|> <|observation|> <think> </think> " +
        "<tool_call> </tool_call> <tool_response> </tool_response> <arg_key> </arg_key> <arg_value> </arg_value>",
    ),
  },
  {
    family: "kimi",
    source: "tokenizer_config.json of Kimi K2",
    tokens: split(
      "[BOS] [EOS] [EOT] [UNK] [PAD] <|im_end|> <|im_user|> <|im_assistant|> <|im_system|> <|im_middle|> " +
        "<|tool_calls_section_begin|> <|tool_calls_section_end|> <|tool_call_begin|> <|tool_call_argument_begin|> <|tool_call_end|>",
    ),
  },
  {
    family: "command",
    source: "the vocabulary of Command R and Aya, ids 0 to 7, as reports on their tokenizers list it",
    tokens: split("<PAD> <UNK> <CLS> <SEP> <MASK_TOKEN> <BOS_TOKEN> <EOS_TOKEN> <EOP_TOKEN>"),
  },
  {
    family: "granite",
    // But for `<filename>`, which begins no turn and stands in every second manual.
    source: "the special tokens of Granite 3.3 in the order of their ids; the first are those of StarCoder",
    tokens: split(
      "<|end_of_text|> <fim_prefix> <fim_middle> <fim_suffix> <fim_pad> <gh_stars> <issue_start> <issue_comment> " +
        "<issue_closed> <jupyter_start> <jupyter_text> <jupyter_code> <jupyter_output> <empty_output> <commit_before> " +
        "<commit_msg> <commit_after> <reponame> <|start_of_role|> <|end_of_role|> <|tool_call|> <|start_of_cite|> " +
        "<|end_of_cite|> <|start_of_plugin|> <|end_of_plugin|> <|audio|>",
    ),
  },
  {
    family: "exaone",
    source: "the chat templates of EXAONE 3.5 and 4",
    tokens: split("[|system|] [|user|] [|assistant|] [|tool|] [|endofturn|]"),
  },
  {
    family: "minimax",
    source: "the chat template of MiniMax M2",
    tokens: split("]~!b[ ]~b] [e~[ <think> </think> <minimax:tool_call> </minimax:tool_call>"),
  },
  {
    family: "seed",
    source: "the chat template of Seed-OSS",
    tokens: split("<seed:bos> <seed:eos> <seed:think> </seed:think> <seed:tool_call> </seed:tool_call>"),
  },
];

/** Tokens with numbers, those that open or close with a bar on one side, and those with other signs in them. */
const others: readonly string[] = [
  String.raw`\[(?=\|\w{1,64}\|\])`,
  String.raw`<(?=(?:minimax|seed):\w{1,64}>)`,
  String.raw`\](?=~!?b[\[\]])`,
  String.raw`\[(?=e~\[)`,
  String.raw`<(?=unused\d{1,5}>)`,
  String.raw`<(?=SPECIAL_\d{1,5}>)`,
  String.raw`<(?=\/?\w{1,64}\|>)`,
];

/** The first character of a token, as a pattern without flags but `u`: a token that lacks it is text. */
export const controlTokenPattern: string = [patternOf("<", ">"), patternOf("[", "]"), ...others].join("|");

/** Those that stand between such brackets. What follows `<|` is broken whatever its name, and `</` too. */
function patternOf(opening: string, closing: string): string {
  const names = new Set<string>();
  for (const { tokens } of controlTokens)
    for (const token of tokens) {
      const name = token.slice(1, -1);
      if (token.startsWith(opening) && token.endsWith(closing) && /^\/?\w+$/.test(name)) names.add(name);
    }
  return `${literal(opening)}(?=(?:${[...names].toSorted().join("|")})${literal(closing)})`;
}

function literal(bracket: string): string {
  return bracket === "[" || bracket === "]" ? `\\${bracket}` : bracket;
}

function split(tokens: string): readonly string[] {
  return tokens.split(" ");
}
