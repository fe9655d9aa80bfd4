//! The syntax of a shell text, as far as it decides what runs. Both readers produce it.

/// Bytes of the text that a tree belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pure::shell) struct Span {
    pub(in crate::pure::shell) start: usize,
    pub(in crate::pure::shell) end: usize,
}

impl Span {
    pub(in crate::pure::shell) fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

#[derive(Debug)]
pub(in crate::pure::shell) struct Sequence<'t> {
    pub(in crate::pure::shell) statements: Vec<Statement<'t>>,
    pub(in crate::pure::shell) span: Span,
}

#[derive(Debug)]
pub(in crate::pure::shell) struct Statement<'t> {
    pub(in crate::pure::shell) node: Node<'t>,
    pub(in crate::pure::shell) redirects: Vec<Redirect<'t>>,
    pub(in crate::pure::shell) background: bool,
    /// Without the bodies of here-documents, for what is one simple command.
    pub(in crate::pure::shell) span: Span,
}

#[derive(Debug)]
pub(in crate::pure::shell) enum Node<'t> {
    Simple {
        assignments: Vec<Assignment<'t>>,
        words: Vec<Word<'t>>,
    },
    Declaration(Declaration<'t>),
    /// Statements joined by operators, each with the operator in front of it; the first with none.
    Chain(Vec<(Joint, Statement<'t>)>),
    If {
        condition: Sequence<'t>,
        /// Further conditions among them.
        branches: Vec<Sequence<'t>>,
    },
    Case {
        subject: Word<'t>,
        /// The patterns in front of each branch. Substitutions may run in them.
        patterns: Vec<Span>,
        branches: Vec<Sequence<'t>>,
    },
    Each {
        name: Option<&'t str>,
        values: Values<'t>,
        body: Sequence<'t>,
    },
    /// Sequences that are run in turn, any number of times.
    Again {
        header: Option<Span>,
        bodies: Vec<Sequence<'t>>,
    },
    Group(Sequence<'t>),
    /// In a shell of its own.
    Subshell(Sequence<'t>),
    /// In a shell of its own, whose output and input are the elements of an array.
    Coprocess {
        name: &'t str,
        body: Sequence<'t>,
    },
    /// Arithmetic or a test: only the substitutions in it run anything.
    Test(Span),
    Function {
        names: Vec<&'t str>,
        body: Box<Statement<'t>>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pure::shell) enum Joint {
    And,
    Or,
    Pipe,
}

/// The items of a loop.
#[derive(Debug)]
pub(in crate::pure::shell) enum Values<'t> {
    Words(Vec<Word<'t>>),
    /// The arguments of the script or function.
    Arguments,
    /// Whatever a person picks of these.
    Picked(Vec<Word<'t>>),
}

/// `export`, `local` and their like.
#[derive(Debug)]
pub(in crate::pure::shell) struct Declaration<'t> {
    pub(in crate::pure::shell) keyword: &'t str,
    pub(in crate::pure::shell) assignments: Vec<Assignment<'t>>,
    pub(in crate::pure::shell) operands: Vec<Operand<'t>>,
}

#[derive(Debug)]
pub(in crate::pure::shell) enum Operand<'t> {
    Word(Word<'t>),
    Name(&'t str),
    Assignment(Assignment<'t>),
}

#[derive(Debug)]
pub(in crate::pure::shell) struct Assignment<'t> {
    pub(in crate::pure::shell) name: &'t str,
    /// It sets one element of an array.
    pub(in crate::pure::shell) subscripted: bool,
    /// Its subscript and those of its elements, in which substitutions may run.
    pub(in crate::pure::shell) subscripts: Vec<Span>,
    pub(in crate::pure::shell) append: bool,
    pub(in crate::pure::shell) value: Assigned<'t>,
}

#[derive(Debug)]
pub(in crate::pure::shell) enum Assigned<'t> {
    Scalar(Word<'t>),
    List(Vec<Word<'t>>),
}

#[derive(Debug)]
pub(in crate::pure::shell) struct Redirect<'t> {
    pub(in crate::pure::shell) operator: Operator,
    pub(in crate::pure::shell) descriptor: Option<i32>,
    /// The variable that takes the number: `{name}>file`.
    pub(in crate::pure::shell) variable: Option<&'t str>,
    pub(in crate::pure::shell) target: Target<'t>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pure::shell) enum Operator {
    Read,
    Write,
    Append,
    ReadWrite,
    HereDocument,
    HereString,
    /// `<&`, where a number is a descriptor and anything else a file.
    DuplicateInput,
    DuplicateOutput,
}

impl Operator {
    /// The number that is meant where none is written.
    pub(in crate::pure::shell) fn implied_descriptor(self) -> i32 {
        match self {
            Self::Write | Self::Append | Self::DuplicateOutput => 1,
            Self::Read | Self::ReadWrite | Self::HereDocument | Self::HereString | Self::DuplicateInput => 0,
        }
    }
}

#[derive(Debug)]
pub(in crate::pure::shell) enum Target<'t> {
    Word(Word<'t>),
    /// The body of a here-document.
    Document(Vec<Piece<'t>>),
}

#[derive(Debug)]
pub(in crate::pure::shell) struct Word<'t> {
    pub(in crate::pure::shell) form: Form<'t>,
    pub(in crate::pure::shell) span: Span,
}

#[derive(Debug)]
pub(in crate::pure::shell) enum Form<'t> {
    /// Nothing that the shell would interpret.
    Plain(&'t str),
    Pieces(Vec<Piece<'t>>),
    /// With braces that stand for several words.
    Braces(Vec<Piece<'t>>),
}

#[derive(Debug)]
pub(in crate::pure::shell) struct Piece<'t> {
    pub(in crate::pure::shell) kind: PieceKind<'t>,
    pub(in crate::pure::shell) span: Span,
}

#[derive(Debug)]
pub(in crate::pure::shell) enum PieceKind<'t> {
    /// As it stands in the text, with its escapes and patterns.
    Raw,
    /// Exactly this, whatever stands in the text.
    Exact(&'t str),
    Double(Vec<Piece<'t>>),
    Variable(&'t str),
    Parameter(Parameter<'t>),
    Substitution(Sequence<'t>),
    /// Escapes in it are resolved before it is read.
    Backticks,
    ReadFrom(Sequence<'t>),
    WriteTo(Sequence<'t>),
    Glob,
    /// A value that only the run can know; the substitutions in this text run for it.
    Unknown(&'t str),
}

/// `${…}`
#[derive(Debug)]
pub(in crate::pure::shell) struct Parameter<'t> {
    /// The text between the braces.
    pub(in crate::pure::shell) raw: &'t str,
    pub(in crate::pure::shell) kind: ParameterKind<'t>,
}

#[derive(Debug)]
pub(in crate::pure::shell) enum ParameterKind<'t> {
    Element { name: &'t str, index: &'t str },
    AllElements { name: &'t str },
    Indirect { name: &'t str },
    Default { name: &'t str, operator: Fallback, operand: Option<Box<Word<'t>>> },
    Changed { name: &'t str, change: Change<'t> },
    Slice { name: &'t str, offset: &'t str, length: Option<&'t str> },
    Other,
}

/// The action of `${x…y}` for a variable that is not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pure::shell) enum Fallback {
    /// `-`
    Use,
    /// `=`
    Assign,
    /// `+`, the other way round.
    Replace,
    /// `?`
    Fail,
}

/// The transformation of a variable's value; patterns and replacements as source text.
#[derive(Debug)]
pub(in crate::pure::shell) enum Change<'t> {
    WithoutPrefix(&'t str),
    WithoutSuffix(&'t str),
    ReplaceFirst(&'t str, &'t str),
    ReplaceAll(&'t str, &'t str),
    Upper,
    Lower,
    Other,
}
